// Times in words.
const UNITS = [
  [60, "second"],
  [60, "minute"],
  [24, "hour"],
  [30, "day"],
  [12, "month"],
  [1e9, "year"],
];

/** @type {(then: string, now: number) => string} Return how long ago something was, in words. */
export function since(then, now) {
  let count = Math.max(1, Math.round((now - new Date(then)) / 1000));
  for (const [size, unit] of UNITS) {
    if (count < size) return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
    count = Math.round(count / size);
  }
  return "";
}
