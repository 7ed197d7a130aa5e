// Runs within the page, as a reader would use it, and leaves what it found in the document. Added
// by main.rs; never part of a real page.
(() => {
  const find = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const level = all(".level").map((node) => node.textContent);
  const results = [];
  const check = (name, found) => {
    let detail = "";
    try {
      detail = found();
    } catch (error) {
      detail = String(error.stack ?? error);
    }
    results.push({ name, problem: detail === true ? null : String(detail || "false") });
  };

  const pick = (id, value) => {
    const select = document.getElementById(id);
    select.value = value;
    select.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const type = (text) => {
    find("#search").value = text;
    find("#search").dispatchEvent(new Event("input", { bubbles: true }));
  };
  const rows = () => all("#table tbody:first-of-type tr[data-codec]");
  const ids = () => rows().map((row) => row.dataset.codec);
  const column = (key) => all("#table thead th").findIndex((th) => th.querySelector(`[data-sort="${key}"]`));
  const values = (key) => rows().map((row) => Number(row.children[column(key)].dataset.value));
  const head = (key) => find(`#table [data-sort="${key}"]`);
  const ascends = (list) => list.every((value, at) => at === 0 || list[at - 1] <= value);
  const press = (node, key) => node.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));

  const datasets = () => [...find("#dataset").options];
  pick("dataset", (datasets().find((option) => option.text === "game_level") ?? datasets()[0]).value);
  const everything = ids();

  check("there are rows, sorted by time both ways", () => everything.length > 3 && ascends(values("both")));
  check("sorting by size, and back", () => {
    head("size").click();
    const up = head("size").closest("th").ariaSort === "ascending" && ascends(values("size"));
    head("size").click();
    const down = head("size").closest("th").ariaSort === "descending" && ascends(values("size").reverse());
    return up && down && head("both").closest("th").ariaSort === "none";
  });
  check("the focus stays on the head that sorts", () => {
    head("codec").focus();
    head("codec").click();
    return document.activeElement === head("codec") && ascends(ids().map((id) => id.toLowerCase()));
  });
  check("the address keeps the order", () => location.hash.includes("sort=codec"));
  head("both").click();

  check("searching leaves what matches, and says how many", () => {
    type(everything[0]);
    const some = ids();
    const told = find("#count").textContent;
    type("");
    return some.includes(everything[0]) && some.length < everything.length && /^\d+ of \d+ codecs shown/.test(told) && ids().length === everything.length;
  });
  check("nothing matches", () => {
    type("no such codec");
    const empty = find("#table .empty") && find("#scatter .empty") && find("#curves .empty");
    type("");
    return Boolean(empty);
  });
  check("a kind can be left out", () => {
    const chip = find("[data-chip=text]");
    chip.click();
    const without = ids().length < everything.length;
    find("[data-chip=text]").click();
    return without && ids().length === everything.length;
  });
  check("a language can be left out", () => {
    find('[data-chip="language Rust"]').click();
    const without = ids().length < everything.length;
    find('[data-chip="language Rust"]').click();
    return without && ids().length === everything.length;
  });
  check("a format can be picked", () => {
    pick("format", "JSON");
    const formats = rows().map((row) => row.children[column("format")].textContent);
    pick("format", "");
    return formats.length > 0 && formats.every((format) => format === "JSON");
  });

  check("baselines and failures stand apart", () => {
    const groups = all("#table tr.group").map((row) => row.textContent);
    const ranked = all("#table tbody:first-of-type .mark.baseline").length === 0;
    return groups.some((text) => text.includes("not ranked")) && ranked;
  });
  check("what has no result has a reason and no number", () => {
    const shown = find("#dataset").value;
    const failed = datasets().flatMap((option) => {
      pick("dataset", option.value);
      return all("#table tbody tr").filter((row) => row.querySelector(".reason"));
    });
    pick("dataset", shown);
    return failed.length > 0 && failed.every((row) => row.querySelector(".reason").textContent.length > 12 && !row.querySelector("td.number"));
  });
  check("trusted codecs are marked", () => all("#table .trusted").every((node) => node.ariaLabel.includes("Trusted")));
  check("batches are marked, and have no percentiles", () => {
    const marked = find("#table .batch").closest("tr").dataset.codec;
    find(`[data-details="${CSS.escape(marked)}"]`).click();
    const told = find("#table tr.details").textContent.includes("so no percentiles");
    find(`[data-details="${CSS.escape(marked)}"]`).click();
    return told && !find("#table tr.details");
  });

  let ratios = {};
  const reference = [...find("#baseline").options].find((option) => option.text.includes("(reference)")).value;
  check("a baseline turns numbers into ratios", () => {
    const before = ids();
    pick("baseline", reference);
    ratios = Object.fromEntries(rows().map((row, at) => [row.dataset.codec, values("both")[at]]));
    const own = rows().find((row) => row.dataset.codec === reference);
    const shown = own.children[column("both")].querySelector(".value").textContent;
    const heads = find("#scatter").textContent.includes(`against ${reference}`);
    return ratios[reference] === 1 && shown.includes("1.00×") && heads && before.join() === ids().join();
  });
  check("another baseline turns them again", () => {
    const other = everything.find((id) => id !== reference);
    pick("baseline", other);
    const own = rows().find((row) => row.dataset.codec === other);
    const one = Number(own.children[column("size")].dataset.value) === 1;
    pick("baseline", "");
    return one && !find("#table .value").textContent.includes("×");
  });

  check("the points of the chart go by keyboard", () => {
    const points = all("#scatter [data-point]");
    const stops = points.filter((point) => point.getAttribute("tabindex") === "0");
    points[0].focus();
    const told = !find("#tip").hidden;
    press(points[0], "ArrowRight");
    const moved = document.activeElement === points[1];
    press(points[1], "Enter");
    const again = find(`#scatter [data-point="${CSS.escape(points[1].dataset.point)}"]`);
    return stops.length === 1 && told && moved && again.ariaPressed !== points[1].ariaPressed && document.activeElement === again;
  });
  check("the front is drawn", () => find("#scatter .front") !== null);
  check("codecs chosen in the table have a curve or are named", () => {
    const boxes = () => all("#table [data-choose]");
    for (const { dataset } of boxes()) {
      const box = find(`[data-choose="${CSS.escape(dataset.choose)}"]`);
      if (!box.checked) box.click();
    }
    const drawn = all("#curves .curve").length;
    const ops = [...find("#curve-op").options].map((option) => option.value);
    for (const op of ops) pick("curve-op", op);
    return drawn > 0 && ops.length > 1;
  });
  check("columns can be left out", () => {
    find("[data-column=serialize]").click();
    const without = column("serialize") < 0;
    find("[data-column=serialize]").click();
    return without && column("serialize") > 0;
  });
  check("every dataset can be shown", () => {
    const shown = find("#dataset").value;
    const titles = datasets().map((option) => {
      pick("dataset", option.value);
      return find("#title").textContent;
    });
    pick("dataset", shown);
    return new Set(titles).size === datasets().length;
  });
  check("across datasets, only complete means stand together", () => {
    if (datasets().length < 2) return find("#across").hidden;
    const counts = all("#matrix tbody:first-of-type tr").map((row) => Number(row.children[2].textContent));
    return counts.length > 0 && counts.every((count) => count === counts[0]);
  });
  check("light and dark", () => {
    const ground = () => getComputedStyle(document.body).backgroundColor;
    const seen = new Set();
    for (let click = 0; click < 3; click += 1) {
      find("#theme").click();
      seen.add(`${document.documentElement.dataset.theme} ${ground()}`);
    }
    const colours = new Set([...seen].map((text) => text.slice(text.indexOf(" "))));
    return seen.size === 3 && colours.size === 2;
  });
  check("every control has a name", () => {
    const bare = all("select, input, button").filter((node) => !(node.labels?.length || node.ariaLabel || node.textContent.trim()));
    return bare.length === 0 || bare.map((node) => node.outerHTML).join("\n");
  });
  check("ids are unique", () => {
    const known = all("[id]").map((node) => node.id);
    return new Set(known).size === known.length;
  });
  check("tables have captions, and heads have scopes", () =>
    all("table").every((table) => table.caption?.textContent) && all("th").every((th) => th.scope));
  check("no text became markup", () => document.images.length === 0 && all("script").length === 3);
  check("plugins, compilers and the machine are at the foot", () => {
    const text = find("#foot").textContent;
    return ["Method", "Processor", "Compiler", "Flags"].every((word) => text.includes(word));
  });
  check("nothing is wider than the page", () =>
    document.documentElement.scrollWidth <= innerWidth || `${document.documentElement.scrollWidth} > ${innerWidth}`);

  // As the page opens, and against a codec: rates are no ratios.
  const rates = ["", everything[0]].map((baseline) => {
    pick("baseline", baseline);
    const heads = all("#table thead [data-sort^=robustness_]");
    return Object.fromEntries(heads.map(({ dataset }) =>
      [dataset.sort, Object.fromEntries(rows().map((row) => [row.dataset.codec, row.children[column(dataset.sort)].querySelector(".value")?.textContent ?? null]))]));
  });
  pick("baseline", "");
  const told = find("#notes").textContent.includes("10,000 messages that were cut short");

  const text = JSON.stringify({ results, ratios, reference, level, rates, told });
  const report = document.createElement("pre");
  report.id = "checked";
  report.textContent = btoa(unescape(encodeURIComponent(text)));
  document.body.append(report);
})();
