// What the charts share: logarithmic axes, and labels that keep out of each other's way.

const MARGIN = { top: 14, right: 16, bottom: 44, left: 66 };

/** The 1–2–5 steps between two numbers. */
function steps(low, high, factors) {
  const found = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += 1) {
    for (const factor of factors) {
      const value = factor * 10 ** power;
      if (value >= low * 0.9999 && value <= high * 1.0001) found.push(value);
    }
  }
  return found;
}

/** Choices of ticks, the finest first; sizes are round in powers of two where they are in KiB. */
function tickChoices(low, high, isSize) {
  if (isSize && high >= 9999.5) {
    const powers = (base) => {
      const from = Math.ceil(Math.log(low) / Math.log(base));
      const found = [];
      for (let value = base ** from; value <= high; value *= base) found.push(value);
      return found;
    };
    return [2, 4, 16, 1024].map(powers);
  }
  const choices = [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 5], [1, 3], [1]];
  return choices.map((factors) => steps(low, high, factors));
}

/** A logarithmic axis over `values` onto the pixels from `start` to `end`, with labels `gap` apart. */
function logAxis(values, start, end, gap, isSize = false) {
  const known = values.filter((value) => value > 0 && Number.isFinite(value));
  let low = Math.min(...known) / 1.15;
  let high = Math.max(...known) * 1.15;
  if (high / low < 2) {
    const middle = Math.sqrt(low * high);
    [low, high] = [middle / Math.SQRT2, middle * Math.SQRT2];
  }
  const at = (value) => start + ((end - start) * Math.log(value / low)) / Math.log(high / low);
  const roomy = (ticks) => ticks.every((tick, i) => i === 0 || Math.abs(at(tick) - at(ticks[i - 1])) >= gap);
  const ticks = tickChoices(low, high, isSize).find(roomy);
  return { low, high, at, ticks: ticks?.length ? ticks : [Math.sqrt(low * high)] };
}

/** A round number without the zeros behind its point: "20.0 ms" is "20 ms". */
const tickText = (text) => text.replace(/\.0+(?!\d)/, "");

/** Grid, tick labels and titles. Every axis: {ticks, at, label(value), title}. */
function axes(width, height, x, y) {
  const bottom = height - MARGIN.bottom;
  const right = width - MARGIN.right;
  const group = svg("g", { class: "axes", "aria-hidden": "true" });
  for (const value of y.ticks) {
    const at = y.at(value);
    group.append(
      svg("line", { x1: MARGIN.left, x2: right, y1: at, y2: at }),
      svg("text", { x: MARGIN.left - 8, y: at, dy: "0.32em", "text-anchor": "end" }, tickText(y.label(value))),
    );
  }
  for (const value of x.ticks) {
    const at = x.at(value);
    group.append(
      svg("line", { x1: at, x2: at, y1: MARGIN.top, y2: bottom }),
      svg("text", { x: at, y: bottom + 18, "text-anchor": right - at < 22 ? "end" : "middle" }, tickText(x.label(value))),
    );
  }
  group.append(
    svg("text", { class: "title", x: right, y: height - 6, "text-anchor": "end" }, x.title),
    svg("text", { class: "title", x: MARGIN.left, y: MARGIN.top - 3, "text-anchor": "start" }, y.title),
  );
  return group;
}

/** Places labels beside their points, and leaves out those that have no room. */
function placeLabels(wanted, width, height) {
  const taken = wanted.map(({ x, y }) => ({ left: x - 5, right: x + 5, top: y - 5, bottom: y + 5 }));
  const free = (box) =>
    box.left >= MARGIN.left && box.right <= width - 4 && box.top >= MARGIN.top &&
    box.bottom <= height - MARGIN.bottom &&
    taken.every((o) => box.right < o.left || box.left > o.right || box.bottom < o.top || box.top > o.bottom);
  const group = svg("g", { class: "labels", "aria-hidden": "true" });
  for (const { x, y, text } of wanted) {
    const wide = text.length * 6.4;
    const places = [
      [10, 0, "start"], [-10, 0, "end"], [0, -13, "middle"], [0, 14, "middle"],
      [9, -11, "start"], [9, 12, "start"], [-9, -11, "end"], [-9, 12, "end"],
    ];
    for (const [dx, dy, anchor] of places) {
      const left = x + dx - (anchor === "end" ? wide : anchor === "middle" ? wide / 2 : 0);
      const box = { left, right: left + wide, top: y + dy - 7, bottom: y + dy + 7 };
      if (!free(box)) continue;
      taken.push(box);
      group.append(svg("text", { x: x + dx, y: y + dy, dy: "0.34em", "text-anchor": anchor }, text));
      break;
    }
  }
  return group;
}

/** The size of a plot's box, which the style sheet sets, so that drawing never moves the page. */
function plotSize(box) {
  return { width: Math.max(280, box.clientWidth), height: Math.max(240, box.clientHeight) };
}

const emptyPlot = (box, text) => box.replaceChildren(el("p", { class: "empty" }, text));

