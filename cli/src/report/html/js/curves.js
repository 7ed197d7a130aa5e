// Latency by percentile of the codecs that are pointed out. Only calls that were timed alone have
// percentiles; those timed in batches are named, not drawn.

const DASHES = ["", "7 3", "2 3", "9 3 2 3", "4 2", "1 4", "12 3", "6 2 1 2"];

/** Where a percentile stands: each further nine is one step. */
const nines = (quantile) => -Math.log10(1 - quantile);

function curveOf(row, base) {
  const timing = row.figures.get(state.curve);
  if (!timing || timing.batch > 1 || timing.curve.length === 0) return null;
  const other = base?.figures.get(state.curve)?.curve;
  const points = timing.curve
    .map((value, at) => [DATA.quantiles[at], other ? value / other[at] : value])
    .filter(([, value]) => value > 0 && Number.isFinite(value));
  return points.length ? { row, points } : null;
}

function curveLine(curve, at, x, y, label) {
  const { row, points } = curve;
  const coordinates = points.map(([quantile, value]) => [x.at(quantile), y.at(value)]);
  const tip = (point) => (event) =>
    showTip([row.codec.id, `${percentileName(point[0])}: ${label(point[1])}`], event.currentTarget.getBoundingClientRect());
  const marks = points.map((point, index) => {
    const [cx, cy] = coordinates[index];
    return svg(
      "g",
      { onmouseenter: tip(point), onmouseleave: hideTip },
      svg("circle", { class: "target", cx, cy, r: 8 }),
      svg("use", { href: `#shape-${row.codec.shape}`, x: cx - 4, y: cy - 4, width: 8, height: 8 }),
    );
  });
  const d = coordinates.map(([cx, cy], index) => `${index ? "L" : "M"}${cx.toFixed(1)} ${cy.toFixed(1)}`).join("");
  return svg("g", { class: `curve ${row.codec.family}` }, svg("path", { d, "stroke-dasharray": DASHES[at % DASHES.length] || null }), ...marks);
}

/** Names at the ends of the lines, pushed apart where they would overlap. */
function endLabels(curves, x, y, height) {
  const ends = curves.map(({ row, points }) => {
    const [quantile, value] = points.at(-1);
    return { text: row.codec.id, x: x.at(quantile), y: y.at(value), family: row.codec.family };
  });
  ends.sort((a, b) => a.y - b.y);
  ends.forEach((end, at) => {
    end.place = at ? Math.max(end.y, ends[at - 1].place + 14) : end.y;
  });
  let floor = height - MARGIN.bottom;
  for (const end of ends.toReversed()) {
    end.place = Math.min(end.place, floor);
    floor = end.place - 14;
  }
  const group = svg("g", { class: "labels", "aria-hidden": "true" });
  for (const end of ends) {
    group.append(svg("text", { x: end.x + 9, y: end.place, dy: "0.34em" }, end.text));
  }
  return group;
}

/** The same as words, for those who do not see the lines. */
function curvesInWords(curves, label) {
  const one = ({ row, points }) =>
    `${row.codec.id}: ${points.map(([quantile, value]) => `${percentileName(quantile)} ${label(value)}`).join(", ")}`;
  return curves.map(one).join(". ");
}

function drawCurves(rows) {
  const box = byId("curves");
  const chosen = chosenIds();
  const asked = rows.filter((row) => row.status === "ok" && chosen.has(row.codec.id));
  const base = baseRow();
  const baseTiming = base?.figures.get(state.curve);
  const ratioToBase = base && baseTiming?.batch === 1 && baseTiming.curve.length > 0;
  const curves = asked.map((row) => curveOf(row, ratioToBase ? base : null)).filter(Boolean);
  const batched = asked.filter((row) => row.figures.get(state.curve)?.batch > 1);
  const words = [];
  if (batched.length) words.push(`Timed in batches, so without percentiles: ${batched.map((row) => row.codec.id).join(", ")}.`);
  if (base && !ratioToBase) words.push(`${base.codec.id} has no percentiles here, so times are absolute.`);
  byId("curves-text").textContent = words.join(" ");
  if (curves.length === 0) {
    return emptyPlot(box, asked.length ? "None of the codecs pointed out has percentiles for this operation." : "Point codecs out in the table or in the chart to see their latencies.");
  }
  const { width, height } = plotSize(box);
  const names = Math.max(...curves.map(({ row }) => row.codec.id.length)) * 6.6 + 18;
  const most = Math.max(...curves.flatMap(({ points }) => points.map(([quantile]) => quantile)));
  const [start, end] = [MARGIN.left + 10, width - Math.min(names, width / 3)];
  const ticks = [0.5, 0.9, 0.99, 0.999, 0.9999].filter((quantile) => quantile <= most);
  const x = {
    at: (quantile) => start + ((end - start) * nines(quantile)) / nines(most),
    ticks,
    label: percentileName,
    title: "Percentile of calls →",
  };
  const label = (value) => (ratioToBase ? times(value) : time(value));
  const y = {
    ...logAxis(curves.flatMap(({ points }) => points.map(([, value]) => value)), height - MARGIN.bottom - 8, MARGIN.top + 10, 26),
    label: (value) => (ratioToBase ? `${+value.toPrecision(2)}×` : time(value)),
    title: ratioToBase ? `↑ Against the same percentile of ${base.codec.id}` : "↑ Time of a call",
  };
  box.replaceChildren(
    svg(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": curvesInWords(curves, label) },
      axes(width, height, x, y),
      ...curves.map((curve, at) => curveLine(curve, at, x, y, label)),
      endLabels(curves, x, y, height),
    ),
  );
}

