// Numbers as people read them; the same rules as in the terminal's tables.

const MINUS = "\u2212";
const NBSP = "\u00a0";

/** Three significant digits, as far as they stand behind the point. */
function significant(number) {
  const size = Math.abs(number);
  const digits = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  return number.toFixed(digits);
}

/** A time in the unit that suits it. */
function time(nanoseconds) {
  const units = ["ns", "µs", "ms", "s"];
  let unit = 0;
  while (nanoseconds >= 999.5 && unit < units.length - 1) {
    nanoseconds /= 1000;
    unit += 1;
  }
  return significant(nanoseconds) + NBSP + units[unit];
}

const grouped = (count) => Math.round(count).toLocaleString("en");

/** A size, exact as long as it is short. */
function size(bytes) {
  if (bytes < 9999.5) {
    const exact = Number.isInteger(bytes) || bytes >= 1000;
    return (exact ? grouped(bytes) : bytes.toFixed(1)) + NBSP + "B";
  }
  let scaled = bytes / 1024;
  for (const unit of ["KiB", "MiB"]) {
    if (scaled < 1023.95) return scaled.toFixed(1) + NBSP + unit;
    scaled /= 1024;
  }
  return scaled.toFixed(1) + NBSP + "GiB";
}

/** A ratio: "1.24×". */
function times(ratio) {
  if (ratio < 1e-4) return "<0.0001×";
  return (ratio < 0.0995 ? ratio.toPrecision(2) : significant(ratio)) + "×";
}

/** A count that may be a mean. */
const compact = (count) => (Number.isInteger(count) || count >= 99.5 ? grouped(count) : count.toFixed(1));

/** How much more a size is than that in memory, in whole per cent: "+69 %", "−27 %". */
function overhead(bytes, memory) {
  if (!(memory > 0)) return NBSP;
  const percent = Math.floor((bytes * 100) / memory) - 100;
  return (percent < 0 ? MINUS + -percent : "+" + percent) + NBSP + "%";
}

/** An interval, its unit said once where both ends have the same. */
function range(low, high) {
  const [from, fromUnit] = low.split(NBSP);
  return fromUnit && fromUnit === high.split(NBSP)[1] ? `${from} – ${high}` : `${low} – ${high}`;
}

/** A fraction in per cent. */
const percent = (fraction) =>
  (fraction * 100).toFixed(fraction < 0.0995 ? 1 : 0) + NBSP + "%";

/** A percentile by its fraction: "p99.9". */
const percentileName = (quantile) => "p" + +(quantile * 100).toFixed(4);

const plural = (count, one, many = one + "s") => `${grouped(count)} ${count === 1 ? one : many}`;

