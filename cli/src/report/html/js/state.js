// What the reader has chosen. It travels in the address, so that a view can be shared.

const state = {
  run: 0,
  dataset: 0,
  /** The id of the codec that everything is divided by, or "". */
  baseline: "",
  search: "",
  format: "",
  /** Kinds and languages that are switched off. */
  off: new Set(),
  sort: { key: "both", down: false },
  /** Columns that the reader has shown or hidden, by their key. */
  asked: new Map(),
  /** The ids of the codecs that the charts point out; null: the page chooses. */
  chosen: null,
  expanded: new Set(),
  x: "size",
  y: "both",
  /** The operation whose latencies are drawn, or "": the one with the most to draw. */
  curve: "",
  across: "both",
  matrixSort: { key: "mean", down: false },
};

const isShown = (column) => state.asked.get(column.key) ?? !column.spare;

const theRun = () => openRun(DATA.runs[state.run]);
const theDataset = () => theRun().datasets[state.dataset];

/** The row that everything is divided by, where there is one. */
const baseRow = (dataset = theDataset()) =>
  dataset.rows.find((row) => row.codec.id === state.baseline && row.status === "ok") ?? null;

/** Whether the filters let a codec pass. */
function passes(codec) {
  if (state.off.has(codec.family) || state.off.has(`language ${codec.language}`)) return false;
  if (state.format && codec.format !== state.format) return false;
  const words = state.search.toLowerCase().split(/\s+/).filter(Boolean);
  const text = `${codec.id} ${codec.format} ${codec.library}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

const shownRows = () => theDataset().rows.filter((row) => passes(row.codec));

/** The rows that no other row beats in both size and time. */
function paretoFront(rows, x = state.x, y = state.y) {
  const value = (row, key) => row.figures.get(key)?.estimate.value ?? Infinity;
  const finite = rows.filter(
    (row) => ranked(row) && Number.isFinite(value(row, x)) && Number.isFinite(value(row, y)),
  );
  const sorted = finite.sort((a, b) => value(a, x) - value(b, x) || value(a, y) - value(b, y));
  let best = Infinity;
  return sorted.filter((row) => {
    const better = value(row, y) < best;
    if (better) best = value(row, y);
    return better;
  });
}

const MOST_CURVES = 8;

/** The ids that the charts point out: the reader's choice, else the Pareto front. */
function chosenIds() {
  if (state.chosen) return state.chosen;
  const front = paretoFront(shownRows(), "size", "both");
  return new Set(front.slice(0, MOST_CURVES).map((row) => row.codec.id));
}

function choose(id, wanted) {
  state.chosen = new Set(chosenIds());
  if (wanted) state.chosen.add(id);
  else state.chosen.delete(id);
}

/** What of the state differs from a fresh page, as an address. */
function saveState() {
  const parts = new URLSearchParams();
  if (state.run) parts.set("run", state.run);
  if (state.dataset) parts.set("dataset", theDataset().name);
  if (state.baseline) parts.set("baseline", state.baseline);
  if (state.search) parts.set("search", state.search);
  if (state.format) parts.set("format", state.format);
  if (state.sort.key !== "both" || state.sort.down) {
    parts.set("sort", (state.sort.down ? "-" : "") + state.sort.key);
  }
  const hash = parts.toString();
  try {
    history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
  } catch {
    // Some viewers forbid it; the page works all the same.
  }
}

function loadState() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const run = Number(parts.get("run") ?? 0);
  state.run = DATA.runs[run] ? run : 0;
  const named = theRun().datasets.findIndex((dataset) => dataset.name === parts.get("dataset"));
  state.dataset = Math.max(0, named);
  state.baseline = parts.get("baseline") ?? "";
  state.search = parts.get("search") ?? "";
  state.format = parts.get("format") ?? "";
  const sort = parts.get("sort") ?? state.sort.key;
  state.sort = { key: sort.replace(/^-/, ""), down: sort.startsWith("-") };
  settleState();
}

/** The operation of which most codecs were timed call by call. */
function mostCurves(keys) {
  const { rows } = theDataset();
  const count = (key) => rows.filter((row) => row.figures.get(key)?.curve?.length > 0).length;
  const ops = ["deserialize_read", ...OPS.map(([key]) => key)].filter((key) => keys.includes(key));
  return sortedBy(ops, count, true)[0] ?? "";
}

/** Brings choices in line with the run and dataset at hand. */
function settleState() {
  const { columns } = theRun();
  const keys = columns.map((column) => column.key);
  const pick = (key, wanted) => (keys.includes(key) ? key : (keys.find(wanted) ?? ""));
  const isTime = (key) => columns.some((column) => column.key === key && column.kind === "time");
  state.y = pick(state.y, isTime);
  state.across = pick(state.across, isTime) || "size";
  if (!state.curve || !keys.includes(state.curve)) state.curve = mostCurves(keys);
  const sortable = [...keys, "codec", "format", "language"];
  if (!sortable.includes(state.sort.key)) state.sort = { key: pick("both", isTime) || "size", down: false };
  if (state.baseline && !baseRow()) state.baseline = "";
  const formats = theDataset().rows.map((row) => row.codec.format);
  if (!formats.includes(state.format)) state.format = "";
}

