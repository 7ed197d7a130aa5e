// The data of the page, and the statistics on it: the same rules as results/statistics.rs.

const DATA = JSON.parse(byId("data").textContent);

const OPS = [
  ["serialize", "Serialize"],
  ["deserialize", "Deserialize"],
  ["read", "Read"],
  ["deserialize_read", "Deserialize + read"],
  ["round_trip", "Serialize + deserialize"],
];

/** The order in which the page's data have operations, and the times of zstd. */
const OP_ORDER = ["serialize", "deserialize", "read", "round_trip", "deserialize_read"];
const ZSTD_ORDER = ["_compress", "_decompress", "_all_compress", "_all_decompress"];

/** What came of damaged messages, in the order in which the page's data have it. */
const ROBUSTNESS = ["rejected", "accepted", "wrong", "crashed", "hung", "out of bounds", "over-allocated"]
  .map((label) => [`robustness_${label.replaceAll(/\W/g, "_")}`, `Damaged: ${label}`]);

const FAMILIES = [
  ["text", "Text"],
  ["named", "Self-describing binary"],
  ["schema", "Schema-bound binary"],
  ["view", "Read in place"],
  ["baseline", "Baseline"],
];

const SHAPES = { rust: "rust", "c++": "cpp", c: "c" };

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const DIGITS = new Map([...ALPHABET].map((letter, digit) => [letter, digit]));

/** Times as pack.rs packs them; NaN where one is missing. */
function unpack(text, anchor) {
  const missing = 64 ** DATA.digits - 1;
  const middle = Math.floor(missing / 2);
  const values = [];
  for (let at = 0; at < text.length; at += DATA.digits) {
    const letters = [...text.slice(at, at + DATA.digits)];
    const code = letters.reduce((sum, letter) => sum * 64 + DIGITS.get(letter), 0);
    const distance = Math.sinh(((code - middle) / middle) * 6.82) * 0.02;
    values.push(code === missing ? NaN : anchor * Math.exp(distance));
  }
  return values;
}

/** The rank, from 0, of the lower end of the interval of a median of `n` values, or -1. */
function medianRank(n) {
  let probability = 0.5 ** n;
  let below = 0;
  let rank = -1;
  for (let k = 0; k < Math.floor(n / 2); k += 1) {
    below += probability;
    if (below > 0.025) break;
    rank = k;
    probability *= (n - k) / (k + 1);
  }
  return rank;
}

/** The median with its distribution-free 95 % interval: {value, low, high}, or null. */
function median(values) {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const value =
    sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  const rank = medianRank(sorted.length);
  return rank < 0
    ? { value }
    : { value, low: sorted[rank], high: sorted[sorted.length - 1 - rank] };
}

/** An interval takes at least so many rounds. */
const FEWEST = 6;

/** The median over rounds of the ratio within a round: of what both took on an undisturbed core, where
    there are rounds enough with such, else of what they took whoever else used it. */
function ratioOf(mine, base) {
  const ratios = (key) => mine[key].map((time, round) => time / base[key][round]).filter(Number.isFinite);
  const undisturbed = ratios("undisturbed");
  return median(undisturbed.length >= FEWEST ? undisturbed : ratios("rounds"));
}

/** Whether a ratio's interval leaves out 1. */
const separated = (ratio) => ratio.low !== undefined && (ratio.low > 1 || ratio.high < 1);

function makeCodec(data, plugins) {
  const plugin = plugins[data.plugin] ?? [];
  const language = plugin[2] || "unknown";
  return { ...data, language, shape: SHAPES[language.toLowerCase()] ?? "other" };
}

/** An estimate with its interval, and what is packed behind it. */
function makeEstimate(number, packed) {
  const value = Number(number);
  const [low, high, ...rest] = unpack(packed, value);
  return { estimate: Number.isNaN(low) ? { value } : { value, low, high }, rest };
}

/** A time as timings.rs writes it. */
function makeTiming(text) {
  const [batch, calls, value, packed, undisturbed = "", curve = ""] = text.split(",");
  const { estimate, rest: rounds } = makeEstimate(value, packed);
  return {
    batch: Number(batch),
    calls: Number(calls),
    estimate,
    rounds,
    undisturbed: unpack(undisturbed, estimate.value),
    curve: unpack(curve, estimate.value),
  };
}

function makeRow(data, dataset, run) {
  const codec = run.codecs[data.c];
  const row = { codec, status: data.status ?? "ok", reason: run.texts[data.reason], notes: [...codec.notes] };
  const note = run.texts[data.note];
  if (note && !row.notes.includes(note)) row.notes.push(note);
  row.figures = new Map();
  const sizes = ["size", ...run.levels.map((level) => `zstd${level}`), ...run.levels.map((level) => `zstd${level}_all`)];
  (data.z ?? []).forEach((bytes, at) => {
    if (bytes > 0 || at === 0) row.figures.set(sizes[at], { estimate: { value: bytes / dataset.values } });
  });
  const setTiming = (key, timing) => timing && row.figures.set(key, makeTiming(timing));
  (data.t ?? []).forEach((timing, at) => setTiming(OP_ORDER[at], timing));
  (data.zt ?? []).forEach((timings, level) =>
    timings.forEach((timing, at) => setTiming(`zstd${run.levels[level]}${ZSTD_ORDER[at]}`, timing)));
  row.heap = new Map();
  (data.h ?? []).forEach((heap, at) => {
    if (!heap) return;
    const [value, bytes, peak] = heap;
    row.heap.set(OP_ORDER[at], { value, bytes, peak });
    row.figures.set(`${OP_ORDER[at]}_allocs`, { estimate: { value }, under: size(bytes) });
  });
  (data.x ?? []).forEach((value, at) => row.figures.set(ROBUSTNESS[at][0], { estimate: { value }, rate: true }));
  const write = row.figures.get("serialize");
  const read = row.figures.get("deserialize_read");
  if (data.both && write && read) {
    const { estimate } = makeEstimate(...data.both.split(","));
    const sum = (key) => write[key].map((time, round) => time + read[key][round]);
    row.figures.set("both", { estimate, rounds: sum("rounds"), undisturbed: sum("undisturbed") });
  }
  return row;
}

/** Operations whose columns a reader has to ask for. */
const SPARE = new Set(["read", "round_trip"]);

/** The columns of numbers that a run has; those that are spare are hidden until asked for. */
function columnsOf(run) {
  const columns = [{ key: "size", label: "Size", kind: "size" }];
  const zstd = (suffix, rest) => run.levels.map((level) => ({ key: `zstd${level}${suffix}`, label: `zstd\u2011${level}${rest}` }));
  for (const column of zstd("", "")) columns.push({ ...column, kind: "size" });
  for (const column of zstd("_all", ", all values as one")) columns.push({ ...column, kind: "size", spare: true });
  columns.push({ key: "both", label: "Both ways", kind: "time" });
  for (const [key, label] of OPS) columns.push({ key, label, kind: "time", spare: SPARE.has(key) });
  for (const what of ["compress", "decompress"]) {
    for (const column of zstd(`_${what}`, ` ${what}`)) columns.push({ ...column, kind: "time" });
    for (const column of zstd(`_all_${what}`, ` ${what}, all values as one`)) columns.push({ ...column, kind: "time", spare: true });
  }
  for (const [op, label] of OPS) columns.push({ key: `${op}_allocs`, label: `${label}: allocations`, kind: "count", spare: SPARE.has(op) });
  for (const [key, label] of ROBUSTNESS) columns.push({ key, label, kind: "rate" });
  const present = (column) =>
    run.datasets.some((dataset) => dataset.rows.some((row) => row.figures.has(column.key)));
  return columns.filter(present);
}

/** Rows become objects when their run is looked at for the first time. */
function openRun(run) {
  if (run.columns) return run;
  run.codecs = run.codecs.map((codec) => makeCodec(codec, run.plugins));
  for (const dataset of run.datasets) {
    dataset.rows = dataset.rows.map((row) => makeRow(row, dataset, run));
  }
  run.columns = columnsOf(run);
  return run;
}

/** A row's number in a column, as a ratio to `base` where there is one; or null. Rates, which may be 0,
    stay what they are. */
function figure(row, key, base) {
  const mine = row.figures.get(key);
  if (!mine) return null;
  if (!base || mine.rate) return mine.estimate;
  if (row === base) return { value: 1, exact: true };
  const other = base.figures.get(key);
  if (!other || !(other.estimate.value > 0)) return null;
  return mine.rounds?.length && other.rounds?.length
    ? ratioOf(mine, other)
    : { value: mine.estimate.value / other.estimate.value, exact: true };
}

const ranked = (row) => row.status === "ok" && !row.codec.baseline;

