// The tasks as records, and which of them the reader wants to see.
const settings = plain("settings");
const index = plain("index");
const SEVERITIES = ["error", "warning", "note"];

const tasks = index.tasks.map((row, place) => {
  const [anchor, id, teaser, counts, rules, items, tags, cells, nMissing, hasParted] = row;
  const values = cells.map(([text, band]) => (index.bands[band] === "missing" ? null : Number(text)));
  return {
    place, anchor, id, teaser, counts, rules, items, tags, cells, values, nMissing,
    hasParted: hasParted === 1,
    words: `${id} ${teaser} ${rules.map((rule) => index.rules[rule].join(" ")).join(" ")}`.toLowerCase(),
    text: null,
  };
});
const placeByAnchor = new Map(tasks.map((task) => [task.anchor, task.place]));
const placeById = new Map(tasks.map((task) => [task.id, task.place]));

const NOTHING = { q: "", severity: "", rule: "", item: "", tag: "", column: "", from: "", to: "", only: "" };
const wanted = { ...NOTHING };
const sorting = { key: "", isDown: false };
let shown = tasks;

// What the tasks themselves say is searched too; it is read when somebody begins to search.
async function readTexts() {
  if (!tasks.length || tasks[0].text !== null) return;
  if (settings.is_static) {
    for (const task of tasks) task.text = (byId(task.anchor)?.textContent ?? "").toLowerCase();
    return;
  }
  const texts = await unpack("texts");
  kept.delete("texts");
  tasks.forEach((task, place) => { task.text = texts[place]; });
}

function lowest(task) {
  const known = task.values.filter((value, column) => value !== null && index.lows[column]);
  return known.length ? Math.min(...known) : null;
}

function valueOf(task, column) {
  return column === "" ? lowest(task) : task.values[Number(column)];
}

function fits(task) {
  const { q, severity, rule, item, tag, column, from, to, only } = wanted;
  if (severity === "none" && task.counts.some((n) => n)) return false;
  if (severity && severity !== "none" && !task.counts[SEVERITIES.indexOf(severity)]) return false;
  if (rule && !task.rules.some((number) => index.rules[number][0] === rule)) return false;
  if (item && !task.items.some((number) => index.items[number] === item)) return false;
  if (tag && !task.tags.some((number) => index.tags[number] === tag)) return false;
  if (only === "missing" && !task.nMissing) return false;
  if (only === "parted" && !task.hasParted) return false;
  if (from !== "" || to !== "") {
    const value = valueOf(task, column);
    if (value === null || (from !== "" && value < Number(from)) || (to !== "" && value > Number(to))) return false;
  }
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => task.words.includes(word) || (task.text !== null && task.text.includes(word)));
}

const ids = new Intl.Collator("en", { numeric: true });

// Tasks without a value stand last, whichever way the others go.
function compare(one, other) {
  if (sorting.key === "") return one.place - other.place;
  const sign = sorting.isDown ? -1 : 1;
  if (sorting.key === "id") return sign * ids.compare(one.id, other.id);
  if (sorting.key === "findings") {
    const part = one.counts.findIndex((n, severity) => n !== other.counts[severity]);
    return part < 0 ? one.place - other.place : sign * (one.counts[part] - other.counts[part]);
  }
  if (sorting.key === "missing") return sign * (one.nMissing - other.nMissing) || one.place - other.place;
  const [left, right] = [one.values[Number(sorting.key)], other.values[Number(sorting.key)]];
  if (left === null || right === null) return Number(left === null) - Number(right === null) || one.place - other.place;
  return sign * (left - right) || one.place - other.place;
}

function choose() {
  shown = tasks.filter(fits).sort(compare);
}
