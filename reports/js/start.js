// Where the address leads, and what keys do.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function placeOfHash() {
  const hash = location.hash.slice(1);
  if (!hash.startsWith("task=")) return null;
  const id = decoded(hash.slice(5));
  return placeByAnchor.get(hash) ?? placeByAnchor.get(`task=${id}`) ?? placeById.get(id) ?? null;
}

// #tasks?severity=error&rule=… opens the table with these filters.
function filtersOfHash() {
  const hash = location.hash.slice(1);
  if (!hash.startsWith("tasks?")) return;
  const asked = [...new URLSearchParams(hash.slice(6))].filter(([name]) => name in NOTHING);
  filterBy(Object.fromEntries(asked));
  if (wanted.q) readTexts().then(refresh);
  byId("tasks").scrollIntoView();
}

function follow() {
  const place = placeOfHash();
  if (place !== null) {
    open(place);
    return;
  }
  shut();
  filtersOfHash();
  const target = byId(location.hash.slice(1));
  target?.closest("details:not([open])")?.setAttribute("open", "");
  if (target) target.scrollIntoView();
}

function onKey(event) {
  const isTyping = event.target.closest?.("input:not([type=radio]):not([type=range]), select, textarea");
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  const by = { j: 1, k: -1 }[event.key];
  if (panel.open && by) step(by);
  else if (panel.open) return;
  else if (event.key === "/") byId("tasks").scrollIntoView(), parts.form.elements.namedItem("q").focus();
  else if (by) moveFocus(by);
  else if (event.key.startsWith("Arrow") && parts.body.contains(event.target)) {
    if (event.key === "ArrowDown") moveFocus(1);
    else if (event.key === "ArrowUp") moveFocus(-1);
    else return;
  } else return;
  event.preventDefault();
}

document.documentElement.classList.add("js");
setUpPanel();
explorer();
coverage();
for (const link of document.querySelectorAll("a.filter")) {
  link.addEventListener("click", () => filterBy({ [link.dataset.filter]: link.dataset.value }));
}
document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", follow);
window.addEventListener("popstate", follow);
if (location.hash) follow();
