// The picture of the policy: whose verdicts it shows, and how many tasks an item needs.
function coverage() {
  const { by_k: byK } = plain("coverage-data");
  const slider = byId("k");
  if (!slider) return;
  const maps = [...document.querySelectorAll(".map-of")];
  const marks = [...document.querySelectorAll(".rule-mark[data-heats]")];
  const state = { map: 0, k: 1 };

  function draw() {
    const sentences = byK[state.map];
    slider.max = String(sentences.length);
    state.k = Math.min(state.k, sentences.length);
    byId("k-said").textContent = `K = ${state.k}: ${sentences[state.k - 1]}`;
    maps.forEach((map, number) => {
      map.hidden = number !== state.map;
      for (const row of map.querySelectorAll("tr[data-n]")) row.classList.toggle("is-below", Number(row.dataset.n) < state.k);
    });
    for (const mark of marks) {
      const heat = mark.dataset.heats.split(" ")[state.map];
      mark.className = `rule-mark heat-${heat}`;
    }
  }
  slider.addEventListener("input", () => { state.k = Number(slider.value); draw(); });
  for (const choice of document.querySelectorAll("input[name=map]")) {
    choice.addEventListener("change", () => { state.map = Number(choice.value); draw(); });
  }
  draw();
}
