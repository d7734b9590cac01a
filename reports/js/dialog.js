// One task's page, over the report; the address says which, so that it can be sent to somebody.
const panel = make("dialog", { class: "panel", "aria-label": "Task" });
const opened = { place: null, home: null, returnTo: null };

function setUpPanel() {
  const button = (cls, label, text) => make("button", { type: "button", class: cls, "aria-label": label, title: label }, text);
  parts.previous = button("previous", "Previous task (k)", "←");
  parts.next = button("next", "Next task (j)", "→");
  parts.position = make("span", { class: "position" });
  parts.close = button("close", "Close (Esc)", "Close");
  parts.page = make("div", { class: "panel-body", tabindex: "0", role: "region", "aria-label": "Task page" });
  panel.append(make("div", { class: "panel-bar" }, parts.previous, parts.next, parts.position, parts.close), parts.page);
  document.body.append(panel);
  parts.previous.addEventListener("click", () => step(-1));
  parts.next.addEventListener("click", () => step(1));
  parts.close.addEventListener("click", leave);
  panel.addEventListener("cancel", (event) => { event.preventDefault(); leave(); });
  panel.addEventListener("click", (event) => {
    if (event.target === panel) leave();
    const target = event.target.closest("a[href^='#finding-']");
    if (target) {
      event.preventDefault();
      byId(target.hash.slice(1))?.scrollIntoView({ block: "center" });
    }
  });
}

async function pageOf(place) {
  if (settings.is_static) return byId(tasks[place].anchor);
  const trees = await unpack(`tasks-${Math.floor(place / settings.chunk)}`);
  return build(trees[place % settings.chunk]);
}

async function open(place) {
  const page = await pageOf(place);
  if (!page) return;
  if (placeOfHash() !== place) return;
  if (!panel.open) opened.returnTo = document.activeElement;
  putBack();
  opened.place = place;
  if (settings.is_static) {
    opened.home = make("span", { hidden: true });
    page.replaceWith(opened.home);
  }
  parts.page.replaceChildren(page);
  parts.page.scrollTop = 0;
  const at = shown.indexOf(tasks[place]);
  parts.position.textContent = at < 0 ? "" : `${(at + 1).toLocaleString("en")} of ${shown.length.toLocaleString("en")}`;
  parts.previous.disabled = at <= 0;
  parts.next.disabled = at < 0 || at === shown.length - 1;
  panel.setAttribute("aria-label", `Task ${tasks[place].id}`);
  if (!panel.open) panel.showModal();
  page.focus({ preventScroll: true });
}

// A page that stands in the report goes back to its place, where it is printed and searched.
function putBack() {
  if (opened.home) opened.home.replaceWith(parts.page.firstChild);
  opened.home = null;
  opened.place = null;
}

function shut() {
  if (!panel.open) return;
  const row = parts.body.querySelector(`tr[data-place="${opened.place}"] a`);
  putBack();
  parts.page.replaceChildren();
  panel.close();
  const target = opened.returnTo && opened.returnTo !== document.body && opened.returnTo.isConnected ? opened.returnTo : row;
  target?.focus({ preventScroll: true });
}

function leave() {
  history.pushState(null, "", "#tasks");
  shut();
}

function step(by) {
  const next = shown[shown.indexOf(tasks[opened.place]) + by];
  if (next) history.replaceState(null, "", `#${next.anchor}`), open(next.place);
}
