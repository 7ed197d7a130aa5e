// Puts the page together, and draws it anew when a choice changes.

const THEMES = ["auto", "light", "dark"];

function applyTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId("theme").textContent = `Theme: ${theme}`;
  try {
    localStorage.setItem("serbench-theme", theme);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

function startTheme() {
  let theme = "auto";
  try {
    theme = localStorage.getItem("serbench-theme") ?? theme;
  } catch {
    // As above.
  }
  applyTheme(THEMES.includes(theme) ? theme : "auto");
  byId("theme").addEventListener("click", () => {
    const now = THEMES.indexOf(document.documentElement.dataset.theme);
    applyTheme(THEMES[(now + 1) % THEMES.length]);
  });
}

function chips(box, items, key) {
  const legend = box.querySelector("legend");
  box.replaceChildren(
    legend,
    ...items.map(([value, label, symbol]) => {
      const input = el("input", {
        type: "checkbox",
        "data-chip": key(value),
        onchange: (event) => {
          if (event.target.checked) state.off.delete(key(value));
          else state.off.add(key(value));
          update();
        },
      });
      input.checked = !state.off.has(key(value));
      return el("label", { class: "chip" }, input, symbol, label);
    }),
  );
}

/** The controls whose choices depend on the run and the dataset. */
function drawControls() {
  const run = theRun();
  const { rows } = theDataset();
  options(byId("run-select"), DATA.runs.map((r, at) => [String(at), `${r.machine}, ${r.mode}, ${r.started}`]), String(state.run));
  byId("run-field").hidden = DATA.runs.length < 2;
  options(byId("dataset"), run.datasets.map((d, at) => [String(at), d.name]), String(state.dataset));
  const { reference } = theDataset();
  const usable = rows.filter((row) => row.status === "ok").map((row) => row.codec).sort((a, b) => a.baseline - b.baseline || a.id.localeCompare(b.id));
  const told = (codec) => codec.id + (codec.id === reference ? " (reference)" : "") + (codec.baseline ? " (baseline)" : "");
  options(byId("baseline"), [["", "nothing: absolute numbers"], ...usable.map((codec) => [codec.id, told(codec)])], state.baseline);
  const formats = [...new Set(rows.map((row) => row.codec.format))].sort((a, b) => a.localeCompare(b));
  options(byId("format"), [["", "all"], ...formats.map((format) => [format, format])], state.format);
  byId("search").value = state.search;

  const symbol = (codec) => mark(codec, 13);
  const families = FAMILIES.filter(([family]) => rows.some((row) => row.codec.family === family));
  chips(byId("families"), families.map(([family, label]) => [family, label, symbol({ family, shape: "rust" })]), (family) => family);
  const languages = new Map(rows.map((row) => [row.codec.language, row.codec.shape]));
  chips(byId("languages"), [...languages].sort().map(([language, shape]) => [language, language, symbol({ family: "plain", shape })]), (language) => `language ${language}`);

  const named = (wanted) => run.columns.filter(wanted).map(({ key, label }) => [key, label]);
  const sizes = run.columns.filter((c) => c.kind === "size");
  options(byId("scatter-x"), sizes.map(({ key, label }) => [key, key === "size" ? "as written" : label]), state.x);
  options(byId("scatter-y"), named((c) => c.kind === "time"), state.y);
  options(byId("curve-op"), named((c) => c.kind === "time" && c.key !== "both"), state.curve);
  options(byId("across-what"), named((c) => c.kind === "size" || c.kind === "time"), state.across);
  const column = (one) => {
    const { key, label } = one;
    const input = el("input", { type: "checkbox", "data-column": key, onchange: (event) => {
      state.asked.set(key, event.target.checked);
      update();
    } });
    input.checked = isShown(one);
    return el("label", {}, input, " ", label);
  };
  const legend = byId("columns").querySelector("legend");
  byId("columns").replaceChildren(legend, ...run.columns.map(column));
}

/** The best of a column, and who is level with it. */
function answer(title, key) {
  const column = theRun().columns.find((candidate) => candidate.key === key);
  if (!column) return null;
  const rows = shownRows().filter((row) => ranked(row) && row.figures.has(key));
  const sorted = sortedBy(rows, (row) => row.figures.get(key).estimate.value);
  if (sorted.length === 0) return null;
  const [first] = sorted;
  const level = [...bestOf(column, rows)].filter((row) => row !== first).map((row) => row.codec.id);
  const shown = figure(first, key, baseRow());
  const rest = level.length > 2 ? `${level[0]} and ${level.length - 1} more` : level.join(", ");
  const beside = level.length ? `level with it: ${rest}` : NBSP;
  return el(
    "div",
    {},
    el("dt", {}, title),
    el("dd", {}, el("span", { class: "who", title: first.codec.id }, mark(first.codec), first.codec.id, first.codec.trusted ? " ⚠" : ""),
      el("span", { class: "what" }, shown ? formatValue(column, shown.value, baseRow() !== null) : ""),
      el("span", { class: "level", title: level.length ? beside : null }, beside)),
  );
}

function drawHead() {
  const run = theRun();
  const dataset = theDataset();
  byId("run").textContent = `${run.machine} · ${run.started.slice(0, 10)} · ${run.mode}`;
  byId("title").textContent = dataset.name;
  const values = dataset.values === 1 ? "one value" : plural(dataset.values, "value");
  const each = dataset.values === 1 ? "" : " each";
  const summary = dataset.summary.replace(/\.$/, "");
  byId("lede").textContent = `${summary ? summary + ": " : ""}${values}, ${size(dataset.memory)}${each} in memory; ${plural(dataset.rounds, "round")}.`;
  byId("warnings").replaceChildren(...run.warnings.map((text) => el("li", {}, text)));
  byId("warnings").hidden = run.warnings.length === 0;
  const answers = [
    answer("Smallest", "size"),
    ...run.levels.slice(0, 1).map((level) => answer(`Smallest after zstd\u2011${level}`, `zstd${level}`)),
    answer("Fastest to write", "serialize"),
    answer("Fastest to read, every field", "deserialize_read"),
    answer("Fastest both ways", "both"),
  ];
  byId("answers").replaceChildren(...answers.filter(Boolean));
}

function drawCount(rows) {
  const all = theDataset().rows;
  const failed = rows.filter((row) => row.status !== "ok").length;
  const compared = state.baseline ? `, compared with ${state.baseline}` : "";
  byId("count").textContent = `${rows.length} of ${plural(all.length, "codec")} shown${failed ? `, ${failed} without a result` : ""}${compared}.`;
}

/** Draws everything; `focus` is what had the focus before, by a selector. */
function update(focus, within) {
  hideTip();
  const rows = shownRows();
  drawHead();
  drawCount(rows);
  drawTable(rows);
  fitTable();
  drawScatter(rows);
  drawCurves(rows);
  drawMatrix();
  drawFoot();
  saveState();
  if (focus) (within ? byId(within) : document).querySelector(focus)?.focus();
}

function changeData(change) {
  change();
  settleState();
  drawControls();
  update();
}

const WIRES = [
  ["run-select", (value) => changeData(() => Object.assign(state, { run: Number(value), dataset: 0, chosen: null }))],
  ["dataset", (value) => changeData(() => Object.assign(state, { dataset: Number(value) }))],
  ["baseline", (value) => Object.assign(state, { baseline: value })],
  ["format", (value) => Object.assign(state, { format: value })],
  ["scatter-x", (value) => Object.assign(state, { x: value })],
  ["scatter-y", (value) => Object.assign(state, { y: value })],
  ["curve-op", (value) => Object.assign(state, { curve: value })],
  ["across-what", (value) => Object.assign(state, { across: value })],
];

function start() {
  // Until now nothing was shown, so that nothing is seen to move while the file is still read.
  document.body.hidden = false;
  startTheme();
  if (DATA.runs.length === 0 || DATA.runs.every((run) => run.datasets.length === 0)) {
    byId("title").textContent = "There are no results in this file.";
    return;
  }
  loadState();
  drawControls();
  update();
  for (const [id, change] of WIRES) {
    byId(id).addEventListener("change", (event) => {
      change(event.target.value);
      update();
    });
  }
  byId("search").addEventListener("input", (event) => {
    state.search = event.target.value;
    update();
  });
  byId("bar").addEventListener("submit", (event) => event.preventDefault());
  byId("bar").addEventListener("reset", (event) => {
    event.preventDefault();
    Object.assign(state, { baseline: "", search: "", format: "", off: new Set(), chosen: null });
    drawControls();
    update();
  });
  const bar = new ResizeObserver(([entry]) => {
    document.documentElement.style.setProperty("--bar", `${entry.target.offsetHeight}px`);
  });
  bar.observe(byId("bar"));
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    const rows = shownRows();
    fitTable();
    drawScatter(rows);
    drawCurves(rows);
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") hideTip();
  });
}

start();
