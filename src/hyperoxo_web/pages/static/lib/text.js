// Numbers, names and times in words.

export const NUMBERS = [
  "no",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
];

/** @type {(number: number | null) => string} Write a number with commas between thousands. */
export const count = (number) => (number ?? 0).toLocaleString("en");
/** @type {(number: number, noun: string, nouns?: string) => string} Write a number with its noun. */
export const plural = (number, noun, nouns = `${noun}s`) =>
  `${count(number)} ${number === 1 ? noun : nouns}`;

/** @type {(names: string[]) => string} Write names in a row: "Ada, Bob and Cid". */
export const joinNames = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

const UNITS = [
  [60, "second"],
  [60, "minute"],
  [24, "hour"],
  [30, "day"],
  [12, "month"],
  [1e9, "year"],
];

/** @type {(then: string, now: number) => string} Return how long ago something was, in words. */
export function timeAgo(then, now) {
  let passed = Math.max(1, Math.round((now - new Date(then)) / 1000));
  for (const [size, unit] of UNITS) {
    if (passed < size) return `${plural(passed, unit)} ago`;
    passed = Math.round(passed / size);
  }
  return "";
}

/**
 * Return a time in words, no more exact than an estimate is.
 * @type {(seconds: number) => string}
 */
export function formatDuration(seconds) {
  if (seconds < 1) return "a moment";
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172800) return `${(seconds / 3600).toFixed(1)} h`;
  return `${Math.round(seconds / 86400)} days`;
}
