// The tables: every codec on a dataset, and every codec across datasets.

/** Long bars are cut at this many times the median, and show that they are. */
const CUT = 6;

const formatValue = (column, value, isRatio) =>
  isRatio ? times(value) : { size, time, count: compact, rate: grouped }[column.kind](value);

/** Sorts copies of `rows` by `value`; what has none comes last, whichever the direction. */
function sortedBy(rows, value, down) {
  const sign = down ? -1 : 1;
  return rows
    .map((row) => [value(row), row])
    .sort(([a], [b]) => {
      if (a === b) return 0;
      if (a === null || b === null) return a === null ? 1 : -1;
      return sign * (typeof a === "string" ? a.localeCompare(b, "en") : a - b);
    })
    .map(([, row]) => row);
}

function sortValue(row, key) {
  if (key === "codec") return row.codec.id;
  if (key === "format") return row.codec.format;
  if (key === "language") return row.codec.language;
  return row.figures.get(key)?.estimate.value ?? null;
}

/** A head that sorts; `sort` is the object that keeps the order. */
function headCell(key, label, sort, attributes = {}) {
  const direction = sort.key !== key ? "none" : sort.down ? "descending" : "ascending";
  const click = () => {
    sort.down = sort.key === key && !sort.down;
    sort.key = key;
    update(`[data-sort="${key}"]`, attributes["data-table"]);
  };
  const button = el("button", { type: "button", "data-sort": key, onclick: click }, label);
  return el("th", { scope: "col", "aria-sort": direction, ...attributes }, button);
}

/** The scale of a column: how long the bar of a value is, and which rows are the best. */
function scaleOf(column, rows, base) {
  const figures = new Map(rows.map((row) => [row, figure(row, column.key, base)]));
  const values = rows.filter(ranked).map((row) => figures.get(row)?.value ?? NaN);
  const known = values.filter(Number.isFinite).sort((a, b) => a - b);
  const most = known.at(-1) ?? 1;
  const full = Math.min(most, known.length ? CUT * known[known.length >> 1] : 1) || 1;
  return { figures, full, best: bestOf(column, rows) };
}

/** The best row of a column (of the rates there is none), and those that are not separated from it. A row of too few rounds for an
    interval is not among them, unless no other has more. */
function bestOf(column, rows) {
  if (column.kind === "rate") return new Set();
  const competing = rows.filter((row) => ranked(row) && row.figures.has(column.key));
  const first = sortedBy(competing, (row) => row.figures.get(column.key).estimate.value)[0];
  const ratios = new Map(competing.map((row) => [row, figure(row, column.key, first)]));
  const someKnown = [...ratios.values()].some((ratio) => ratio?.low !== undefined);
  const isLevel = (ratio) => !separated(ratio) && (ratio.low !== undefined || !someKnown);
  const level = competing.filter((row) => {
    const ratio = ratios.get(row);
    const same = row.figures.get(column.key).estimate.value === first.figures.get(column.key).estimate.value;
    return row === first || (ratio && !ratio.exact ? isLevel(ratio) : same);
  });
  return new Set(level.length > 1 && level.length === competing.length ? [] : level);
}

function bar(estimate, full) {
  const part = (value) => Math.min(1, Math.max(0, value / full)).toFixed(4);
  const parts = [`--v:${part(estimate.value)}`];
  if (estimate.low !== undefined) {
    parts.push(`--lo:${part(estimate.low)}`, `--hi:${part(estimate.high)}`);
  }
  const cut = estimate.value > full * 1.0001;
  const whisker = estimate.low !== undefined && !cut;
  const names = ["bar", cut && "cut", whisker && "whisker"].filter(Boolean).join(" ");
  return el("span", { class: names, style: parts.join(";"), "aria-hidden": "true" });
}

/** The smaller line of a cell: the interval, or what a size means against memory. */
function underneath(column, estimate, isRatio) {
  if (estimate.low !== undefined) {
    const [low, high] = [estimate.low, estimate.high].map((v) => formatValue(column, v, isRatio));
    return range(low, high);
  }
  if (column.key === "size" && !isRatio) return overhead(estimate.value, theDataset().memory);
  return NBSP;
}

function numberCell(column, row, scale, isRatio) {
  const estimate = scale.figures.get(row);
  if (!estimate) return el("td", { class: "number none" }, "–");
  const batch = row.figures.get(column.key).batch ?? 1;
  const best = scale.best.has(row);
  const level = isRatio && estimate.low !== undefined && !separated(estimate);
  const text = formatValue(column, estimate.value, isRatio);
  return el(
    "td",
    { class: `number${best ? " best" : ""}`, "data-value": estimate.value },
    el("span", { class: "value" }, level ? "≈ " : "", text, batch > 1 ? el("span", { class: "batch" }, "*") : null),
    best ? el("span", { class: "hidden" }, " (best, or level with it)") : null,
    el("span", { class: "under" }, (!isRatio && row.figures.get(column.key).under) || underneath(column, estimate, isRatio)),
    bar(estimate, scale.full),
  );
}

/** The mark of a codec that trusts its input. */
function warning(codec) {
  if (!codec.trusted) return null;
  const title = "Trusted: hostile bytes are undefined behaviour to this codec";
  return el("span", { class: "trusted", role: "img", "aria-label": title, title }, "⚠");
}

function codecCell(row, notes) {
  const { codec } = row;
  const open = state.expanded.has(codec.id);
  const toggle = () => {
    if (!state.expanded.delete(codec.id)) state.expanded.add(codec.id);
    update(`[data-details="${CSS.escape(codec.id)}"]`);
  };
  const name = el(
    "button",
    { type: "button", class: "name", "aria-expanded": String(open), "data-details": codec.id, onclick: toggle },
    codec.id,
  );
  const marks = [warning(codec)];
  for (const note of row.notes) {
    if (!notes.includes(note)) notes.push(note);
    const number = notes.indexOf(note) + 1;
    marks.push(el("sup", {}, el("a", { href: `#note-${number}`, "aria-label": `note ${number}` }, String(number))));
  }
  return el("th", { scope: "row", class: "codec" }, mark(codec), name, ...marks);
}

function chooser(row) {
  const input = el("input", {
    type: "checkbox",
    "aria-label": `Point out ${row.codec.id} in the charts`,
    "data-choose": row.codec.id,
    onchange: (event) => {
      choose(row.codec.id, event.target.checked);
      update(`[data-choose="${CSS.escape(row.codec.id)}"]`);
    },
  });
  input.checked = chosenIds().has(row.codec.id);
  return el("td", { class: "choose" }, row.status === "ok" ? input : null);
}

function leadCells(row, notes) {
  return [
    chooser(row),
    codecCell(row, notes),
    el("td", { class: "text" }, row.codec.format),
    el("td", { class: "text" }, row.codec.language),
  ];
}

function groupRow(text, span) {
  return el("tr", { class: "group" }, el("th", { scope: "rowgroup", colspan: span }, text));
}

/** What an operation takes from the heap, where that was counted. */
function heapText(heap) {
  if (!heap) return "";
  return `; ${compact(heap.value)} allocations of ${size(heap.bytes)} in all a call, at most ${size(heap.peak)} held`;
}

/** What there is to know of a codec besides: a row beneath its row. */
function detailsRow(row, span) {
  const { codec } = row;
  const plugin = theRun().plugins[codec.plugin];
  const facts = [
    ["Library", `${codec.library} ${codec.version}`],
    ["Yields", { owned: "an owned value", borrowed: "a value that borrows from the input", view: "a view: fields are decoded when they are read" }[codec.yields] ?? codec.yields],
    ["Input", codec.trusted ? "trusted: hostile bytes are undefined behaviour" : "checked"],
  ];
  if (plugin) facts.push(["Plugin", `${plugin[0]} ${plugin[1]}, ${plugin[4]}`]);
  for (const { key, label } of theRun().columns) {
    const timing = row.figures.get(key);
    if (!timing?.calls) continue;
    const percentiles = timing.curve
      .map((value, at) => [DATA.quantiles[at], value])
      .filter(([quantile]) => [0.5, 0.9, 0.99, 0.999].includes(quantile))
      .map(([quantile, value]) => `${percentileName(quantile)} ${time(value)}`);
    const how = timing.batch > 1 ? `means of ${plural(timing.batch, "call")}, so no percentiles` : percentiles.join(", ");
    facts.push([label, `${plural(timing.calls, "call")}${how ? "; " + how : ""}${heapText(row.heap.get(key))}`]);
  }
  const list = facts.map(([name, text]) => el("div", {}, el("dt", {}, name), el("dd", {}, text)));
  return el("tr", { class: "details" }, el("td", { colspan: span }, el("dl", {}, ...list)));
}

function bodyOf(rows, cells, span, title) {
  if (rows.length === 0) return null;
  const body = el("tbody", {}, title ? groupRow(title, span) : null);
  for (const row of rows) {
    body.append(el("tr", { class: chosenIds().has(row.codec.id) ? "chosen" : null, "data-codec": row.codec.id }, ...cells(row)));
    if (state.expanded.has(row.codec.id)) body.append(detailsRow(row, span));
  }
  return body;
}

/** Lets the page scroll where the table fits, and the table's own box where it does not. */
function fitTable() {
  const box = byId("scroll");
  box.classList.remove("fits");
  box.classList.toggle("fits", byId("table").offsetWidth <= box.clientWidth);
}

/** Every codec on the dataset: those that compete, the baselines, and those without a result. */
function drawTable(rows) {
  const dataset = theDataset();
  const base = baseRow();
  const columns = theRun().columns.filter(isShown);
  const scales = columns.map((column) => scaleOf(column, rows, base));
  const span = columns.length + 4;
  const notes = [];

  const head = el(
    "tr",
    {},
    el("th", { scope: "col", class: "choose" }, el("span", { class: "hidden" }, "Charts")),
    headCell("codec", "Codec", state.sort, { class: "codec" }),
    headCell("format", "Format", state.sort),
    headCell("language", "Language", state.sort),
    ...columns.map((column) => headCell(column.key, column.label, state.sort, { class: "number" })),
  );
  const numbers = (row) => [
    ...leadCells(row, notes),
    ...columns.map((column, at) => numberCell(column, row, scales[at], base !== null && column.kind !== "rate")),
  ];
  const reason = (row) => [
    ...leadCells(row, notes),
    el("td", { colspan: columns.length, class: "reason" }, el("strong", {}, row.status), ": ", row.reason ?? "no reason is recorded"),
  ];
  const sorted = sortedBy(rows, (row) => sortValue(row, state.sort.key), state.sort.down);
  const bodies = [
    bodyOf(sorted.filter(ranked), numbers, span),
    bodyOf(sorted.filter((row) => row.status === "ok" && row.codec.baseline), numbers, span, "Baselines: what the loop and the bytes cost; not ranked"),
    bodyOf(sorted.filter((row) => row.status !== "ok"), reason, span, "No result, no number"),
  ].filter(Boolean);
  if (rows.length === 0) bodies.push(el("tbody", {}, el("tr", {}, el("td", { colspan: span, class: "empty" }, "No codec passes the filters."))));

  const what = base ? `as a ratio to ${base.codec.id}` : "as the mean time of a call and the mean size of a value";
  const caption = el("caption", {}, `${dataset.name}, ${what}; below each time its 95 % interval over rounds. Bold: the best of its column, and what is not separated from it.`);
  byId("table").replaceChildren(caption, el("thead", {}, head), ...bodies);
  const bare = rows.some((row) => [...row.figures.values()].some((f) => f.rounds && f.estimate.low === undefined));
  const batched = rows.some((row) => [...row.figures.values()].some((f) => f.batch > 1));
  const damaged = columns.some((column) => column.kind === "rate");
  byId("notes").replaceChildren(
    ...notes.map((note, at) => el("li", { id: `note-${at + 1}` }, note)),
    ...(bare ? [el("li", { class: "star" }, "A time without an interval was measured in too few rounds for one: it takes six.")] : []),
    ...(damaged ? [el("li", { class: "star" }, "Damaged: what came of 10,000 messages that were cut short, had bits turned over, were random bytes or announced huge lengths: an error, a valid value, or something that is none; or the codec crashed, hung, touched memory out of bounds, or asked for too much of it.")] : []),
    ...(batched ? [el("li", { class: "star" }, "* too short to be timed alone: calls are timed in batches, and no percentiles are given.")] : []),
  );
}

