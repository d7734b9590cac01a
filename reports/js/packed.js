// Blocks of data in the page: plain ones are parsed, packed ones inflated first, and few of them are kept.
const KEPT = 3;
const kept = new Map();

function plain(id) {
  return JSON.parse(byId(id).textContent);
}

async function unpack(id) {
  if (kept.has(id)) return kept.get(id);
  const bytes = Uint8Array.from(atob(byId(id).textContent), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const value = JSON.parse(await new Response(stream).text());
  kept.set(id, value);
  while (kept.size > KEPT) kept.delete(kept.keys().next().value);
  return value;
}
