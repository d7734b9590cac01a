// The table of tasks: only a window of rows stands in the page, more come as the reader gets to them.
const PAGE = 80;
let nDrawn = 0;
let parts = {};

function explorer() {
  const host = byId("explorer");
  parts.status = make("p", { class: "status", role: "status", "aria-live": "polite" });
  parts.clear = make("button", { type: "button", class: "clear" }, "Clear filters");
  parts.body = make("tbody");
  parts.scroll = make(
    "div",
    { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "Index of tasks" },
    make("table", { class: "tasks" }, make("caption", { class: "hidden" }, "Tasks that fit the filters"), head(), parts.body),
  );
  parts.form = make("form", { class: "filters", role: "search", "aria-label": "Filter tasks" }, controls());
  const keys = make("p", { class: "keys" }, "Keys: / search, j and k next and previous, Enter opens, Esc closes");
  host.append(parts.form, make("div", { class: "found-bar" }, parts.status, parts.clear), parts.scroll, keys);
  host.hidden = false;
  listen();
  refresh();
}

function field(label, control) {
  return make("label", { class: "field" }, make("span", {}, label), control);
}

function select(name, label, options, empty = "any") {
  if (!options.length) return null;
  const items = [["", empty], ...options].map(([value, text]) => make("option", { value }, text));
  return field(label, make("select", { name }, items));
}

function columnName([short, judge, trust]) {
  return `${short}, ${judge}${trust ? ` [${trust}]` : ""}`;
}

function controls() {
  const counted = (name, number) => tasks.filter((task) => task[name].includes(number)).length;
  const severities = SEVERITIES.map((name, n) => [name, `${name} (${tasks.filter((task) => task.counts[n]).length})`])
    .filter((_, n) => tasks.some((task) => task.counts[n]));
  const columns = index.columns.map((column, n) => [String(n), columnName(column)]);
  const only = [
    ["missing", `with missing verdicts (${tasks.filter((task) => task.nMissing).length})`],
    ["parted", `where judges part (${tasks.filter((task) => task.hasParted).length})`],
  ].filter((_, n) => tasks.some((task) => (n ? task.hasParted : task.nMissing)));
  const number = (name, label) => make("input", { name, type: "number", step: "any", "aria-label": label });
  return [
    field("Search", make("input", { name: "q", type: "search", autocomplete: "off", spellcheck: "false" })),
    index.checked ? select("severity", "Severity", [...severities, ["none", "no finding"]]) : null,
    select("rule", "Finding", index.rules.map(([rule, title], n) => [rule, `${title} (${counted("rules", n)})`])),
    select("item", "Policy item", index.items.map((item, n) => [item, `${item} (${counted("items", n)})`])),
    select("tag", "Tag", index.tags.map((tag, n) => [tag, `${tag} (${counted("tags", n)})`])),
    select("column", "Judge and metric", columns, "lowest alignment"),
    index.columns.length
      ? make("span", { class: "field range-fields", role: "group", "aria-label": "Score" }, make("span", {}, "Score"),
          make("span", {}, number("from", "Score from"), " to ", number("to", "Score to")))
      : null,
    select("only", "Only tasks", only),
  ];
}

function head() {
  const sortable = (key, label, kind = "") =>
    make("th", { scope: "col", class: kind, "data-key": key, "aria-sort": "none" },
      make("button", { type: "button", class: "sort" }, label));
  const judged = index.columns.map(([short, judge, trust], n) =>
    sortable(String(n), [make("span", {}, short), make("span", { class: "judge u" }, judge),
      trust ? make("span", { class: "trust" }, trust) : null], "num"));
  const hasMissing = tasks.some((task) => task.nMissing);
  return make("thead", {}, make("tr", {},
    sortable("id", "Task"),
    index.checked ? sortable("findings", "Findings") : null,
    make("th", { scope: "col" }, "Description begins"),
    judged,
    hasMissing ? sortable("missing", "Missing") : null));
}

function row(task) {
  const link = make("a", { class: "u", href: `#${task.anchor}`, title: task.id.length > 30 ? task.id : undefined }, task.id);
  const counts = task.counts.map((n, severity) =>
    n ? make("span", { class: `severity ${SEVERITIES[severity]}` }, `${n} ${SEVERITIES[severity]}${n > 1 ? "s" : ""}`) : null);
  const hasMissing = tasks.some((each) => each.nMissing);
  return make("tr", { "data-place": String(task.place) },
    make("th", { scope: "row", class: "id" }, link),
    index.checked ? make("td", { class: "counts" }, counts.flatMap((badge) => (badge ? [badge, " "] : []))) : null,
    make("td", { class: "teaser u", dir: "auto" }, task.teaser),
    task.cells.map(([text, band]) => make("td", { class: `num band-${index.bands[band]}` }, text)),
    hasMissing ? make("td", { class: "gap nowrap" }, task.nMissing ? `${task.nMissing} missing` : "") : null);
}

function drawMore(n = PAGE) {
  parts.body.append(...shown.slice(nDrawn, nDrawn + n).map(row));
  nDrawn = Math.min(shown.length, nDrawn + n);
}

function refresh() {
  choose();
  parts.body.replaceChildren();
  nDrawn = 0;
  drawMore();
  parts.scroll.scrollTop = 0;
  const isWhole = shown.length === tasks.length;
  const noun = tasks.length === 1 ? "task" : "tasks";
  parts.status.textContent = isWhole ? `${tasks.length.toLocaleString("en")} ${noun}`
    : `${shown.length.toLocaleString("en")} of ${tasks.length.toLocaleString("en")} ${noun}`;
  parts.clear.hidden = Object.keys(NOTHING).every((name) => wanted[name] === "");
  for (const cell of parts.scroll.querySelectorAll("th[data-key]")) {
    const way = sorting.isDown ? "descending" : "ascending";
    cell.setAttribute("aria-sort", cell.dataset.key === sorting.key ? way : "none");
  }
}

function sortBy(key) {
  if (sorting.key !== key) Object.assign(sorting, { key, isDown: key === "findings" || key === "missing" });
  else if (sorting.isDown === (key === "findings" || key === "missing")) sorting.isDown = !sorting.isDown;
  else Object.assign(sorting, { key: "", isDown: false });
  refresh();
}

function filterBy(changes) {
  Object.assign(wanted, NOTHING, changes);
  for (const name of Object.keys(NOTHING)) {
    const control = parts.form.elements.namedItem(name);
    if (control) control.value = wanted[name];
  }
  refresh();
}

function listen() {
  parts.form.addEventListener("input", (event) => {
    wanted[event.target.name] = event.target.value;
    refresh();
    if (event.target.name === "q") readTexts().then(() => { if (wanted.q) refresh(); });
  });
  parts.form.addEventListener("submit", (event) => event.preventDefault());
  parts.clear.addEventListener("click", () => { filterBy({}); parts.form.elements.namedItem("q").focus(); });
  parts.scroll.addEventListener("scroll", () => {
    const left = parts.scroll.scrollHeight - parts.scroll.scrollTop - parts.scroll.clientHeight;
    if (left < 600 && nDrawn < shown.length) drawMore();
  });
  parts.scroll.addEventListener("click", (event) => {
    const key = event.target.closest("th[data-key]")?.dataset.key;
    if (key !== undefined && event.target.closest("button")) sortBy(key);
  });
  window.addEventListener("beforeprint", () => drawMore(shown.length));
}

// The row that has the focus, or the first one, moved by some rows.
function moveFocus(step) {
  const links = [...parts.body.querySelectorAll("th a")];
  const now = links.indexOf(document.activeElement);
  if (now + step >= links.length - 1 && nDrawn < shown.length) drawMore();
  const next = parts.body.querySelectorAll("th a")[now < 0 ? 0 : Math.max(0, now + step)];
  next?.focus();
}
