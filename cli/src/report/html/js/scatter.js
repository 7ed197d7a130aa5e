// Size against time, both axes logarithmic, with the Pareto front.

function scatterPoints(rows, base) {
  const points = rows
    .filter((row) => row.status === "ok")
    .map((row) => ({ row, x: figure(row, state.x, base), y: figure(row, state.y, base) }));
  return points.filter(({ x, y }) => x?.value > 0 && y?.value > 0);
}

function describe({ row, x, y }, isRatio) {
  const [sizes, spans] = [state.x, state.y].map((key) => theRun().columns.find((c) => c.key === key));
  const { codec } = row;
  const interval = y.low === undefined ? "" : ` (${range(formatValue(spans, y.low, isRatio), formatValue(spans, y.high, isRatio))})`;
  return [
    codec.id + (codec.trusted ? " ⚠" : "") + (codec.baseline ? " (baseline)" : ""),
    `${codec.format}, ${codec.language}`,
    `${sizes.label}: ${formatValue(sizes, x.value, isRatio)}`,
    `${spans.label}: ${formatValue(spans, y.value, isRatio)}${interval}`,
  ];
}

/** The front as a staircase: what lies up and right of it is beaten by a point on it. */
function staircase(front, x, y, right, top) {
  const [first] = front;
  let path = `M${x.at(first.x.value)} ${top}V${y.at(first.y.value)}`;
  for (const point of front.slice(1)) path += `H${x.at(point.x.value)}V${y.at(point.y.value)}`;
  return svg("path", { class: "front", d: `${path}H${right}` });
}

/** Baselines far below do not stretch the chart: they stand at its edge, with their number. */
function pin(points, key, axis) {
  for (const point of points) {
    point.off ??= "";
    const { value } = point[key];
    const inside = Math.min(Math.max(value, axis.low), axis.high);
    if (inside === value) continue;
    point.off = key === "x" ? (value < inside ? "←" : "→") : value < inside ? "↓" : "↑";
    point[key] = { value: inside };
  }
}

/** One point: a mark that can be focused, chosen and asked. */
function pointMark(point, x, y, chosen) {
  const { row, text } = point;
  const { codec } = row;
  const [cx, cy] = [x.at(point.x.value), y.at(point.y.value)];
  const side = chosen ? 17 : 13;
  const tip = (event) => showTip(text, event.currentTarget.getBoundingClientRect());
  const toggle = () => {
    choose(codec.id, !chosenIds().has(codec.id));
    update(`[data-point="${CSS.escape(codec.id)}"]`);
  };
  const whisker = point.y.low === undefined ? null
    : svg("line", { class: "whisker", x1: cx, x2: cx, y1: y.at(point.y.low), y2: y.at(point.y.high) });
  return svg(
    "g",
    {
      class: `point ${codec.family}${chosen ? " chosen" : ""}`,
      role: "button",
      tabindex: -1,
      "aria-pressed": String(chosen),
      "aria-label": text.join(", "),
      "data-point": codec.id,
      onmouseenter: tip,
      onmouseleave: hideTip,
      onfocus: tip,
      onblur: hideTip,
      onclick: toggle,
      onkeydown: (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          toggle();
        }
      },
    },
    whisker,
    svg("circle", { class: "target", cx, cy, r: 11 }),
    svg("use", { href: `#shape-${codec.shape}`, x: cx - side / 2, y: cy - side / 2, width: side, height: side }),
  );
}

/** One tab stop for all points; the arrow keys go from one to the next. */
function roving(group) {
  const marks = [...group.children];
  if (marks.length) marks[0].setAttribute("tabindex", 0);
  group.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    const from = marks.indexOf(event.target);
    if (!step || from < 0) return;
    event.preventDefault();
    const to = (from + step + marks.length) % marks.length;
    marks[from].setAttribute("tabindex", -1);
    marks[to].setAttribute("tabindex", 0);
    marks[to].focus();
  });
}

function drawScatter(rows) {
  const box = byId("scatter");
  const base = baseRow();
  const isRatio = base !== null;
  const points = scatterPoints(rows, base);
  if (points.length === 0) return emptyPlot(box, "Nothing that has both a size and a time passes the filters.");
  const { width, height } = plotSize(box);
  const [sizes, spans] = [state.x, state.y].map((key) => theRun().columns.find((c) => c.key === key));
  const axis = (column, values, start, end, gap) => ({
    ...logAxis(values, start, end, gap, column.kind === "size" && !isRatio),
    label: (value) => (isRatio ? `${+value.toPrecision(2)}×` : formatValue(column, value, false)),
  });
  for (const point of points) point.text = describe(point, isRatio);
  const spanning = points.filter((p) => ranked(p.row));
  if (spanning.length === 0) spanning.push(...points);
  const x = {
    ...axis(sizes, spanning.map((p) => p.x.value), MARGIN.left + 8, width - MARGIN.right, 62),
    title: `${sizes.label}${isRatio ? ` against ${base.codec.id}` : " of a value"} →`,
  };
  const y = {
    ...axis(spans, spanning.map((p) => p.y.value), height - MARGIN.bottom - 8, MARGIN.top + 10, 26),
    title: `↑ ${spans.label}${isRatio ? ` against ${base.codec.id}` : ", a call"}`,
  };
  pin(points, "x", x);
  pin(points, "y", y);
  const front = paretoFront(rows).map((row) => points.find((point) => point.row === row)).filter(Boolean);
  const chosen = chosenIds();
  const ordered = points.toSorted((a, b) => a.x.value - b.x.value);
  const marks = ordered.map((point) => pointMark(point, x, y, chosen.has(point.row.codec.id)));
  const group = svg("g", {}, ...marks);
  roving(group);
  const worthy = [...front, ...points.filter((p) => chosen.has(p.row.codec.id) || p.row.codec.baseline)];
  const labels = [...new Set(worthy)].map((point) => ({
    x: x.at(point.x.value), y: y.at(point.y.value), text: point.row.codec.id + (point.off && ` ${point.off} ${point.text.at(point.off === "←" || point.off === "→" ? 2 : 3).split(/: | \(/)[1]}`),
  }));
  const obstacles = placeLabels(labels, width, height);
  box.replaceChildren(
    svg(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": `${sizes.label} against ${spans.label}: ${plural(points.length, "codec")}; the arrow keys go from point to point. The table has the same numbers.` },
      axes(width, height, x, y),
      front.length ? staircase(front, x, y, width - MARGIN.right, MARGIN.top) : null,
      group,
      obstacles,
    ),
  );
}

