// Every codec across datasets: ratios, and their geometric mean with the count behind it.

/** What a dataset's numbers are divided by: the baseline's, else the best of those that compete. */
function divisor(dataset, key) {
  if (state.baseline) return baseRow(dataset);
  const competing = dataset.rows.filter((row) => ranked(row) && row.figures.has(key));
  return sortedBy(competing, (row) => row.figures.get(key).estimate.value)[0] ?? null;
}

/** A line per codec: its ratio on each dataset, and the mean. */
function matrixLines(key) {
  const run = theRun();
  const bases = run.datasets.map((dataset) => divisor(dataset, key));
  const usable = bases.filter(Boolean).length;
  return run.codecs
    .map((codec, index) => ({ codec, index }))
    .filter(({ codec }) => passes(codec) && !codec.baseline)
    .map(({ codec }) => {
      const ratios = run.datasets.map((dataset, at) => {
        const row = dataset.rows.find((candidate) => candidate.codec === codec);
        return row && bases[at] ? (figure(row, key, bases[at])?.value ?? null) : null;
      });
      const known = ratios.filter((ratio) => ratio !== null);
      const logs = known.reduce((sum, ratio) => sum + Math.log(ratio), 0);
      const mean = known.length ? Math.exp(logs / known.length) : null;
      return { codec, ratios, mean, count: known.length, complete: known.length === usable };
    });
}

/** How strongly a ratio is tinted: not at all at 1, fully at 10. */
const heat = (ratio) => Math.min(1, Math.abs(Math.log10(ratio))).toFixed(3);

function ratioCell(ratio) {
  if (ratio === null) return el("td", { class: "number none" }, "–");
  const side = ratio >= 1 ? "slower" : "faster";
  return el("td", { class: `number heat ${side}`, style: `--heat:${heat(ratio)}` }, times(ratio));
}

function matrixValue(line, key) {
  if (key === "codec") return line.codec.id;
  if (key === "mean") return line.mean;
  if (key === "count") return line.count;
  return line.ratios[Number(key)] ?? null;
}

function drawMatrix() {
  const run = theRun();
  byId("across").hidden = run.datasets.length < 2;
  if (run.datasets.length < 2) return;
  const sort = state.matrixSort;
  const lines = matrixLines(state.across);
  const sorted = sortedBy(lines, (line) => matrixValue(line, sort.key), sort.down);
  const where = { class: "number", "data-table": "matrix" };
  const head = el(
    "tr",
    {},
    headCell("codec", "Codec", sort, { class: "codec", "data-table": "matrix" }),
    headCell("mean", "Geometric mean", sort, where),
    headCell("count", "Datasets", sort, where),
    ...run.datasets.map((dataset, at) => headCell(String(at), dataset.name, sort, where)),
  );
  const cells = (line) => [
    el("th", { scope: "row", class: "codec" }, mark(line.codec), el("span", { class: "name" }, line.codec.id), warning(line.codec)),
    ratioCell(line.mean),
    el("td", { class: "number" }, String(line.count)),
    ...line.ratios.map(ratioCell),
  ];
  const body = (chosen, title) => {
    if (chosen.length === 0) return null;
    const rows = chosen.map((line) => el("tr", {}, ...cells(line)));
    return el("tbody", {}, title ? groupRow(title, run.datasets.length + 3) : null, ...rows);
  };
  const some = sorted.filter((line) => !line.complete && line.count > 0);
  const bodies = [
    body(sorted.filter((line) => line.complete)),
    body(some, "Not on every dataset: these means are over other data, and do not compare"),
  ].filter(Boolean);
  const label = run.columns.find((column) => column.key === state.across)?.label ?? "";
  const base = state.baseline || "the best of each dataset";
  const caption = el("caption", {}, `${label}, as a ratio to ${base}; less is better.`);
  byId("matrix").replaceChildren(caption, el("thead", {}, head), ...bodies);
}

