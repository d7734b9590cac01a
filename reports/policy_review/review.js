"use strict";
// Offsets count Unicode characters, as in the items file; JavaScript's own strings count UTF-16 units.
const byId = (id) => document.getElementById(id);
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb]|[\u{e0000}-\u{e0fff}]|[\ud800-\udfff](?![\udc00-\udfff])/u;
let state = null;
let characters = [];
let current = null;
let splitPlace = 0;
let splitWords = [];

const shown = (start, end) => characters.slice(start, end).map((each) => (HIDDEN.test(each) ? "\ufffd" : each)).join("");
const itemOf = (id) => state.items.find((item) => item.id === id);

async function request(name, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let reply;
  try {
    reply = await fetch(name, options);
  } catch {
    return complain("The command that serves this page has ended. What was shown is saved; start it again to go on.");
  }
  const type = reply.headers.get("Content-Type") || "";
  const value = type.startsWith("application/json") ? await reply.json() : { problem: await reply.text() };
  if (!reply.ok) return complain(value.problem);
  complain("");
  return value;
}

function complain(problem) {
  byId("problem").textContent = problem;
  byId("problem").hidden = !problem;
  return null;
}

let acts = Promise.resolve();

function act(action) {
  acts = acts.then(() => actNow(action));  // in the order of the steps: two on their way at once may arrive the wrong way round
  return acts;
}

async function actNow(action) {
  const before = state ? state.items.map((item) => item.id) : [];
  const value = await request("act", action);
  if (!value) return false;
  state = value;
  const added = state.items.find((item) => !before.includes(item.id));
  if (action.action === "add" && added) current = added.id;
  if (!itemOf(current)) current = state.items.length ? state.items[0].id : null;
  closeSplitter();
  render();
  return true;
}

function render() {
  const count = (review) => state.items.filter((item) => item.review === review).length;
  byId("policy").textContent = `${state.policy} · ${state.file}`;
  byId("summary").textContent = `${state.items.length} items: ${count("accepted")} accepted, ${count("rejected")} rejected, ${count("open")} open. Saved after every step.`;
  byId("undo").disabled = !state.can_undo;
  byId("accept-rest").disabled = count("open") === 0;
  byId("unread").hidden = state.unread.length === 0;
  byId("unread").textContent = state.unread.length ? `Not read by the model, so items are missing there (marked at the left): ${state.unread.map((run) => run.reason).join("; ")}` : "";
  renderDocument();
  renderList();
  renderCard();
}

function renderDocument() {
  const nodes = [];
  let position = 0;
  for (const item of state.items) {
    nodes.push(...plainNodes(position, item.start));
    const mark = document.createElement("mark");
    mark.className = item.violable ? item.review : `${item.review} plain`;
    mark.dataset.id = item.id;
    mark.dataset.start = item.start;
    mark.title = `${item.id} ${item.title}`;
    mark.textContent = shown(item.start, item.end);
    nodes.push(mark);
    position = item.end;
  }
  nodes.push(...plainNodes(position, characters.length));
  const place = byId("document").scrollTop;
  byId("document").replaceChildren(...nodes);
  byId("document").scrollTop = place;
  markCurrent();
}

function markCurrent() {
  for (const mark of byId("document").querySelectorAll("mark")) mark.classList.toggle("current", mark.dataset.id === current);
}

function plainNodes(start, end) {
  const cuts = [start, end];
  for (const run of state.unread) cuts.push(...[run.start, run.end].filter((cut) => cut > start && cut < end));
  cuts.sort((one, other) => one - other);
  return cuts.slice(1).map((to, number) => {
    const span = document.createElement("span");
    const from = cuts[number];
    span.dataset.start = from;
    if (state.unread.some((run) => run.start <= from && from < run.end)) span.className = "unread";
    span.textContent = shown(from, to);
    return span;
  });
}

function renderList() {
  const only = byId("only-open").checked;
  const rows = state.items.filter((item) => !only || item.review === "open" || item.id === current).map((item) => {
    const row = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = item.review;
    button.dataset.id = item.id;
    button.setAttribute("aria-current", String(item.id === current));
    for (const [name, text] of [["id", item.id], ["name", item.title], [`state ${item.review}`, item.review]]) {
      const span = document.createElement("span");
      span.className = name;
      span.textContent = text;
      button.append(span);
    }
    row.append(button);
    return row;
  });
  byId("items").replaceChildren(...rows);
}

function renderCard() {
  const item = itemOf(current);
  byId("card").hidden = !item;
  if (!item) return;
  byId("card-id").textContent = item.id;
  byId("card-review").textContent = item.review;
  byId("card-review").className = `state ${item.review}`;
  byId("card-by").textContent = item.proposed_by ? `proposed by ${item.proposed_by}` : "made by a person";
  byId("title").value = item.title;
  byId("quote").textContent = shown(item.start, item.end);
  byId("kind").value = item.kind;
  byId("binds").value = item.binds || "";
  byId("violable").checked = item.violable;
  byId("accept").disabled = item.review === "accepted";
  byId("reject").disabled = item.review === "rejected";
  byId("reopen").disabled = item.review === "open";
  byId("merge").disabled = state.items[state.items.length - 1].id === item.id;
}

function select(id, { scroll = true } = {}) {
  if (!itemOf(id)) return;
  current = id;
  closeSplitter();
  markCurrent();  // and no new nodes: words that are selected in the document stay so
  renderList();
  renderCard();
  if (!scroll) return;
  const mark = byId("document").querySelector("mark.current");
  if (mark) byId("document").scrollTop += mark.getBoundingClientRect().top - byId("document").getBoundingClientRect().top - byId("document").clientHeight / 3;
  const row = byId("items").querySelector("[aria-current='true']");
  if (row && matchMedia("(min-width: 801px)").matches) row.scrollIntoView({ block: "nearest" });
}

function step(by, wanted = () => true) {
  const from = state.items.findIndex((item) => item.id === current);
  for (let number = from + by; number >= 0 && number < state.items.length; number += by) {
    if (wanted(state.items[number])) return select(state.items[number].id);
  }
}

async function review(word) {
  const item = itemOf(current);
  if (item && (await act({ action: "review", ids: [item.id], review: word })) && word !== "open") step(1);
}

function selection() {
  const chosen = getSelection();
  if (!chosen.rangeCount || chosen.isCollapsed) return null;
  const range = chosen.getRangeAt(0);
  const ends = [placeOf(range.startContainer, range.startOffset), placeOf(range.endContainer, range.endOffset)];
  return ends.includes(null) || ends[0] === ends[1] ? null : ends;
}

function placeOf(node, offset) {
  const piece = (node.nodeType === Node.TEXT_NODE ? node.parentElement : node.childNodes[offset] || node.lastElementChild);
  if (!piece || !piece.closest) return null;
  const holder = piece.closest("#document [data-start]");
  if (!holder) return null;
  const before = node.nodeType === Node.TEXT_NODE ? Array.from(node.data.slice(0, offset)).length : 0;
  return Number(holder.dataset.start) + before;
}

async function takeSelection(action) {
  const ends = selection();
  if (!ends) return complain("Select words of the document first.");
  await act({ ...action, start: ends[0], end: ends[1] });
}

function openSplitter() {
  const item = itemOf(current);
  if (!item) return;
  splitWords = [];
  for (let place = item.start; place < item.end; place += 1) {
    const begins = characters[place].trim() && (place === item.start || !characters[place - 1].trim());
    if (begins) splitWords.push({ start: place, end: place });
    if (characters[place].trim()) splitWords[splitWords.length - 1].end = place + 1;
  }
  if (splitWords.length < 2) return complain("This item is a single word and can't be split.");
  splitPlace = Math.ceil(splitWords.length / 2);
  byId("splitter").hidden = false;
  renderSplitter();
  byId("words").focus();
}

function renderSplitter() {
  byId("words").replaceChildren(...splitWords.map((word, number) => {
    const span = document.createElement("span");
    span.textContent = shown(word.start, word.end);
    span.dataset.number = number;
    span.setAttribute("role", "option");
    span.setAttribute("aria-selected", String(number === splitPlace));
    span.className = [number >= splitPlace ? "second" : "", number === splitPlace ? "here" : ""].join(" ").trim();
    return span;
  }));
}

function closeSplitter() {
  byId("splitter").hidden = true;
}

const splitNow = () => act({ action: "split", id: current, at: splitWords[splitPlace].start });

function describe() {
  act({ action: "describe", id: current, kind: byId("kind").value, binds: byId("binds").value || null, violable: byId("violable").checked });
}

function keepTitle() {
  const item = itemOf(current);
  if (item && byId("title").value.trim() !== item.title) act({ action: "retitle", id: item.id, title: byId("title").value });
}

function toggleHelp() {
  byId("help").hidden = !byId("help").hidden;
  byId("help-button").setAttribute("aria-expanded", String(!byId("help").hidden));
}

const KEYS = {
  j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
  n: () => step(1, (item) => item.review === "open"),
  a: () => review("accepted"), r: () => review("rejected"), o: () => review("open"),
  t: () => { byId("title").focus(); byId("title").select(); },
  s: openSplitter, m: () => act({ action: "merge", id: current }),
  w: () => takeSelection({ action: "move", id: current }), i: () => takeSelection({ action: "add" }),
  u: () => act({ action: "undo" }), "?": toggleHelp,
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !state) return;
  const target = event.target;
  if (target.id === "title") {
    if (event.key === "Enter") target.blur();
    if (event.key === "Escape") { renderCard(); target.blur(); }
    return;
  }
  if (target.tagName === "SELECT") return;
  if (!byId("splitter").hidden) {
    const moves = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 };
    if (event.key in moves) splitPlace = Math.min(splitWords.length - 1, Math.max(1, splitPlace + moves[event.key]));
    else if (event.key === "Escape") closeSplitter();
    else if (event.key === "Enter") splitNow();
    else return;
    if (event.key in moves) renderSplitter();
    event.preventDefault();
    return;
  }
  if (event.key.startsWith("Arrow") && target.id === "document") return;
  const run = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : null;
  if (run) {
    event.preventDefault();
    run();
  }
}

function listen() {
  document.addEventListener("keydown", onKey);
  byId("items").addEventListener("click", (event) => { const row = event.target.closest("[data-id]"); if (row) select(row.dataset.id); });
  byId("document").addEventListener("click", (event) => {
    const mark = event.target.closest("mark");
    if (mark && getSelection().isCollapsed) select(mark.dataset.id, { scroll: false });
  });
  byId("words").addEventListener("click", (event) => {
    const number = Number(event.target.dataset.number);
    if (number > 0) { splitPlace = number; splitNow(); }
  });
  byId("title").addEventListener("change", keepTitle);
  for (const id of ["kind", "binds", "violable"]) byId(id).addEventListener("change", describe);
  byId("only-open").addEventListener("change", renderList);
  const keys = { undo: "u", accept: "a", reject: "r", reopen: "o", split: "s", merge: "m", respan: "w", add: "i", "help-button": "?" };
  for (const [id, key] of Object.entries(keys)) byId(id).addEventListener("click", () => KEYS[key]());
  for (const id of ["respan", "add"]) byId(id).addEventListener("mousedown", (event) => event.preventDefault());
  byId("accept-rest").addEventListener("click", () => {
    act({ action: "review", ids: state.items.filter((item) => item.review === "open").map((item) => item.id), review: "accepted" });
  });
}

async function start() {
  listen();
  state = await request("state");
  if (!state) return;
  characters = Array.from(state.text);
  const first = state.items.find((item) => item.review === "open") || state.items[0];
  current = first ? first.id : null;
  render();
  if (first) select(first.id);
}

start();
