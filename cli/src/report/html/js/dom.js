// Elements. Text only ever enters the page as text nodes and attribute values, so that no name,
// reason or flag can become markup.

const SVG = "http://www.w3.org/2000/svg";

const byId = (id) => document.getElementById(id);

/** Sets attributes and adds children; `on…` attributes are listeners. */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

const el = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);

const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/** The mark of a codec: its language by shape, its kind by colour. */
function mark(codec, size = 14) {
  const use = svg("use", { href: `#shape-${codec.shape}` });
  return svg(
    "svg",
    { class: `mark ${codec.family}`, width: size, height: size, "aria-hidden": "true" },
    use,
  );
}

/** Options of a select: value and label each. */
function options(select, items, chosen) {
  select.replaceChildren(
    ...items.map(([value, label]) =>
      el("option", { value, selected: value === chosen }, label),
    ),
  );
  select.value = chosen;
}

/** Shows text near a point of the page, for pointer and keyboard alike. */
function showTip(lines, rect) {
  const tip = byId("tip");
  tip.replaceChildren(...lines.map((line, at) => el(at === 0 ? "strong" : "span", {}, line)));
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  const left = Math.min(Math.max(8, rect.left + rect.width / 2 - width / 2), innerWidth - width - 8);
  const above = rect.top - height - 10;
  tip.style.left = `${Math.max(8, left)}px`;
  tip.style.top = `${above < 8 ? rect.bottom + 10 : above}px`;
}

const hideTip = () => {
  byId("tip").hidden = true;
};

