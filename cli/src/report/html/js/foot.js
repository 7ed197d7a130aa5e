// Method, machine and plugins.

const METHOD = [
  "Every codec gets the same bytes, is called through the same function pointers by the same loop, and is timed by the same clock, whatever its language.",
  "Before anything is timed, every value is serialized, deserialized, read, exported and compared with what went in, and again after. What does not come back has a reason here, and no number.",
  "Codecs are timed in short slices, round by round, in an order drawn anew each round. A time is the median over rounds of the mean time of a call. A ratio is the median over rounds of the ratio within a round. Intervals are at 95 %, over rounds; two codecs whose ratio's interval contains 1 are not separated, and “≈” says so.",
  "A core may be shared with somebody else's program, which slows one codec down more than another. What it did meanwhile is not counted where at least six rounds have calls made without that.",
  "Both ways = serialize + deserialize + a visit of every field of the result, so that what is decoded late is paid for.",
  "A call that is too short for the clock is timed in batches; percentiles are given only for calls that were timed alone, and only where at least ten of them lie beyond.",
  "Baselines show what the loop itself and a copy of the bytes cost. They are never ranked, and never subtracted.",
];

function table(caption, heads, rows) {
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    el(
      "table",
      { class: "plain" },
      el("caption", {}, caption),
      el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", {}, ...rows.map(([first, ...rest]) =>
        el("tr", {}, el("th", { scope: "row" }, first), ...rest.map((text) => el("td", {}, text))))),
    ),
  );
}

function noiseText(dataset) {
  const names = new Map(OPS);
  const one = ([op, value, low, high]) =>
    `${names.get(op)} ${value.toFixed(3)}${low === null ? "" : ` (${low.toFixed(3)} – ${high.toFixed(3)})`}`;
  return dataset.noise.map(one).join(", ");
}

function drawFoot() {
  const run = theRun();
  const dataset = theDataset();
  const facts = run.facts.map(([name, text]) => el("div", {}, el("dt", {}, name), el("dd", {}, text)));
  const method = [...METHOD];
  if (dataset.noise.length) {
    method.push(`One codec was timed twice in every round; its ratio to itself is the noise floor on ${dataset.name}: ${noiseText(dataset)}.`);
  }
  const roundless = dataset.rows.some((row) => row.figures.get("serialize")?.rounds.length === 0);
  if (roundless) {
    method.push("To keep this page small, its ratios are quotients of medians over rounds, without intervals, and there are no latencies; the results file has them all.");
  } else if (dataset.averaged > 1) {
    method.push(`To keep this page small, ratios on ${dataset.name} are taken over means of ${dataset.averaged} neighbouring rounds; the results file has them all.`);
  }
  const codecs = (plugin) => run.codecs.filter((codec) => codec.plugin === plugin);
  const libraries = (plugin) => [...new Set(codecs(plugin).map((codec) => `${codec.library} ${codec.version}`))].join(", ");
  const plugins = run.plugins.map(([id, version, language, license, compiler, flags], at) =>
    [id, libraries(at), language, compiler, flags, license, version]);
  byId("foot").replaceChildren(
    el("section", {}, el("h2", {}, "Method"), el("ul", {}, ...method.map((text) => el("li", {}, text)))),
    el("section", {}, el("h2", {}, "Machine and run"), el("dl", { class: "facts" }, ...facts)),
    el("section", {}, el("h2", {}, "Plugins"),
      table("The plugins: libraries, compilers and flags", ["Plugin", "Library", "Language", "Compiler", "Flags", "Licence", "Version"], plugins),
      run.refused.length ? table("Not loaded", ["File", "Reason"], run.refused) : null),
    el("p", { class: "made" }, `Made by serbench ${DATA.version}. Everything on this page, data included, is in this one file.`),
  );
}

