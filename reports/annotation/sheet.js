// One task at a time; every answer stands in the page's own inputs, and nothing is sent anywhere.
const byId = (id) => document.getElementById(id);
const about = JSON.parse(byId("about").textContent);
const tasks = [...document.querySelectorAll("article.task")];
const rater = byId("rater");
const place = `bench-audit sheet ${about.sheet} ${rater.defaultValue}`;
let current = 0;

const questions = (task) => [...task.querySelectorAll("fieldset")];
const boxes = (field) => [...field.querySelectorAll("input")];
const isSet = (field) => field.dataset.criterion === about.violations;
const isAnswered = (field) => boxes(field).some((box) => box.checked);

function read(field) {
  const chosen = boxes(field).filter((box) => box.checked);
  if (!chosen.length) return null;
  return isSet(field) ? chosen.filter((box) => !("none" in box.dataset)).map((box) => box.value) : Number(chosen[0].value);
}

function write(field, value) {
  for (const box of boxes(field)) {
    if (value === null || value === undefined) box.checked = false;
    else if (isSet(field)) {
      const items = Array.isArray(value) ? value : [];
      box.checked = "none" in box.dataset ? Array.isArray(value) && !items.length : items.includes(box.value);
    } else box.checked = String(value) === box.value;
  }
}

function collect() {
  const answers = tasks.map((task) => {
    const found = { task: task.dataset.code };
    for (const field of questions(task)) found[field.dataset.criterion] = read(field);
    found.comment = task.querySelector("textarea").value;
    return found;
  });
  const { format, format_version, sheet } = about;
  return { format, format_version, sheet, rater: rater.value.trim(), answers };
}

function restore(saved) {
  const byCode = new Map(saved.answers.map((each) => [each.task, each]));
  for (const task of tasks) {
    const found = byCode.get(task.dataset.code);
    if (!found) continue;
    for (const field of questions(task)) write(field, found[field.dataset.criterion]);
    task.querySelector("textarea").value = String(found.comment ?? "");
  }
  if (!rater.readOnly) rater.value = String(saved.rater ?? "");
}

// The browser's own storage, where it has one for pages from disk.
function keep() {
  try {
    localStorage.setItem(place, JSON.stringify(collect()));
    return true;
  } catch {
    return false;
  }
}

function recall() {
  try {
    const saved = JSON.parse(localStorage.getItem(place));
    if (saved) restore(saved);
  } catch {
    // nothing that can be used
  }
}

function tell(text) {
  byId("message").textContent = text;
  byId("message").hidden = !text;
}

function refresh() {
  const fields = tasks.flatMap(questions);
  for (const field of fields) field.classList.toggle("is-answered", isAnswered(field));
  const n = fields.filter(isAnswered).length;
  byId("progress").textContent = `${n} of ${fields.length} answered`;
  const here = questions(tasks[current]);
  const focused = here.find((field) => field.contains(document.activeElement));
  const marked = focused ?? here.find((field) => !isAnswered(field)) ?? here[0];
  for (const field of here) field.classList.toggle("is-current", field === marked);
}

function show(number, { scroll = true } = {}) {
  current = Math.max(0, Math.min(tasks.length - 1, number));
  tasks.forEach((task, at) => (task.hidden = at !== current));
  byId("position").textContent = `${tasks[current].dataset.code}, ${current + 1} of ${tasks.length}`;
  byId("previous").disabled = current === 0;
  byId("next").disabled = current === tasks.length - 1;
  if (scroll) byId("tasks").scrollIntoView();
  refresh();
}

function showNextOpen() {
  const order = [...tasks.keys()].map((at) => (current + at) % tasks.length);
  const found = order.find((at) => questions(tasks[at]).some((field) => !isAnswered(field)));
  if (found === undefined) return tell("Every question is answered. Save the answers now.");
  show(found);
  const field = questions(tasks[found]).find((each) => !isAnswered(each));
  boxes(field)[0].focus();
}

function download(name, type, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

function cell(text) {
  const shown = /^\s*[=+\-@|%]|^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

function asCsv(saved) {
  const value = (found, name) => {
    if (!(name in found)) return "n/a";
    if (found[name] === null) return "";
    return Array.isArray(found[name]) ? found[name].join("; ") || "none" : String(found[name]);
  };
  const rows = saved.answers.map((found) => [
    saved.sheet, saved.rater, found.task, ...about.criteria.map((name) => value(found, name)), found.comment,
  ]);
  return [[...about.keys, ...about.criteria, "comment"], ...rows].map((row) => `${row.map(cell).join(",")}\n`).join("");
}

function save(kind) {
  const saved = collect();
  if (!saved.rater) {
    tell("Write your name first.");
    rater.focus();
    return;
  }
  const name = `answers.${saved.rater.replace(/[^\p{L}\p{N}._-]+/gu, "_")}.${kind}`;
  if (kind === "csv") download(name, "text/csv", asCsv(saved));
  else download(name, "application/json", `${JSON.stringify(saved, null, 2)}\n`);
  tell(`Saved as ${name}, in your browser's folder for downloads.`);
}

async function load(file) {
  try {
    const saved = JSON.parse(await file.text());
    if (saved.format !== about.format || saved.sheet !== about.sheet) throw new Error("other sheet");
    restore(saved);
    keep();
    show(current, { scroll: false });
    tell(`Answers of ${file.name} are filled in.`);
  } catch {
    tell(`${file.name} holds no answers to this sheet; nothing was changed.`);
  }
}

function onChange(event) {
  const field = event.target.closest?.("fieldset");
  if (field && isSet(field) && event.target.checked) {
    const isNone = "none" in event.target.dataset;
    for (const box of boxes(field)) if (("none" in box.dataset) !== isNone) box.checked = false;
  }
  keep();
  refresh();
}

function onKey(event) {
  const isTyping = event.target.closest?.("input:not([type=radio]):not([type=checkbox]), textarea, summary");
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  if (event.key === "j") show(current + 1);
  else if (event.key === "k") show(current - 1);
  else if (event.key === "n") showNextOpen();
  else if (event.key === "s") save("json");
  else if (/^\d$/.test(event.key)) {
    const field = tasks[current].querySelector("fieldset.is-current");
    if (!field || isSet(field)) return;
    write(field, event.key === "0" ? 10 : Number(event.key));
    document.activeElement.blur();
    keep();
    refresh();
  } else return;
  event.preventDefault();
}

recall();
byId("kept").textContent = keep()
  ? "Answers are kept in this browser, on this computer, until you forget them; nothing leaves this page but the file that you save."
  : "This browser keeps no answers for pages from disk: save before you close the page. Nothing leaves it but that file.";
show(0, { scroll: false });
byId("previous").addEventListener("click", () => show(current - 1));
byId("next").addEventListener("click", () => show(current + 1));
byId("save-json").addEventListener("click", () => save("json"));
byId("save-csv").addEventListener("click", () => save("csv"));
byId("load").addEventListener("change", (event) => event.target.files[0] && load(event.target.files[0]));
byId("forget").addEventListener("click", (event) => {
  const button = event.target;
  if (!("sure" in button.dataset)) {
    button.dataset.sure = "";
    button.textContent = "Really forget them";
    return;
  }
  delete button.dataset.sure;
  button.textContent = "Forget all answers";
  for (const task of tasks) {
    for (const field of questions(task)) write(field, null);
    task.querySelector("textarea").value = "";
  }
  try {
    localStorage.removeItem(place);
  } catch {
    // nothing was kept
  }
  show(0);
});
for (const link of document.querySelectorAll(".to-rubric, .to-policy")) {
  link.addEventListener("click", () => (byId(link.hash.slice(1)).open = true));
}
for (const button of document.querySelectorAll(".reopen")) {
  button.addEventListener("click", () => {
    write(button.closest("fieldset"), null);
    keep();
    refresh();
  });
}
for (const form of document.querySelectorAll("form.answers")) {
  form.addEventListener("submit", (event) => event.preventDefault());
}
rater.addEventListener("input", keep);
document.addEventListener("change", onChange);
document.addEventListener("input", (event) => event.target.matches("textarea") && keep());
document.addEventListener("focusin", refresh);
document.addEventListener("keydown", onKey);
