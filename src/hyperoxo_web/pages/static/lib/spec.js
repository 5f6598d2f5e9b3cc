// Game specs taken apart and put together again, by a table.

/**
 * @typedef {Record<string, any>} Fields of a form: the kind of board, its sizes, and a value for each option
 *
 * @typedef {{name: string, form: string, default: any, whole: string, low: number, high: number}} Option
 */

/** The kinds of boards and the options of the program's own grammar, which pages with a form bring along. */
export const grammar = { kinds: [], options: [] };

const READ = { flag: () => true, number: Number, axis: (value) => Number(value ?? 0) };

/** Write `4x4x4` as `4^3`. */
const powers = (base) =>
  base.replace(/^(\d+)(?:[x×]\1)+$/, (all, side) => `${side}^${all.split(/[x×]/).length}`);

/**
 * Take a spec apart; other boards and options stay text.
 * @type {(spec: string) => Fields}
 */
export function parse(spec) {
  const [, head, rest] = /^((?:.*\})?[^:]*):?(.*)$/s.exec(spec); // lines in braces may have a colon
  const base = powers(head);
  const fields = { kind: "other", base, more: [] };
  for (const { fields: sizes } of grammar.kinds)
    for (const { name, value } of sizes) fields[name] = value;
  for (const option of grammar.options) fields[option.name] = option.default;
  for (const kind of grammar.kinds) {
    const found = new RegExp(`^${kind.pattern}$`).exec(base);
    if (!found) continue;
    fields.kind = kind.name;
    kind.fields.forEach(({ name }, i) => {
      fields[name] = Number(found[i + 1]);
    });
  }
  for (const text of rest.split(",").filter(Boolean)) {
    const [name, value] = text.split("=");
    const option = grammar.options.find((known) => known.name === name);
    if (option) fields[name] = READ[option.form] ? READ[option.form](value) : (value ?? "");
    else fields.more.push(text);
  }
  return fields;
}

/** @type {(fields: Fields) => object | undefined} Return the kind of board of a form; undefined for others. */
export const kindOf = ({ kind }) => grammar.kinds.find(({ name }) => name === kind);

/** @type {(fields: Fields) => string} Put fields together to a spec. */
export function build(fields) {
  const kind = kindOf(fields);
  const sizes = kind ? kind.fields.map(({ name }) => fields[name]) : [];
  const base = kind ? kind.template.replaceAll("{}", () => sizes.shift()) : fields.base;
  const options = [];
  for (const { name, form, default: usual } of grammar.options) {
    const value = fields[name];
    if (value === usual) continue;
    const bare = form === "flag" || value === "" || (form === "axis" && value === 0);
    options.push(bare ? name : `${name}=${value}`);
  }
  options.push(...fields.more);
  return base + (options.length ? `:${options.join(",")}` : "");
}

/**
 * The options that a form offers for the kind of board, other than the number of players.
 * @type {(fields: Fields) => Option[]}
 */
export function offered(fields) {
  return grammar.options.filter(
    ({ name, boards }) =>
      name !== "players" && (fields.kind === "other" || boards.includes(fields.kind)),
  );
}

/** @type {(fields: Fields) => number} How many axes the board has; 0 where it has none. */
export function axesOf(fields) {
  const kind = kindOf(fields);
  if (!kind) return 0;
  return kind.fields.some(({ name }) => name === "dim") ? fields.dim : 2;
}

/**
 * Take back options that the board does not have, and axes beyond its last.
 * @type {(fields: Fields) => void}
 */
export function normalize(fields) {
  const known = offered(fields);
  const axes = axesOf(fields);
  for (const option of grammar.options) {
    const { name, form, default: usual, whole } = option;
    if (name === "players" || fields.kind === "other") continue;
    const beyond =
      ["axis", "axes"].includes(form) &&
      `${fields[name] ?? ""}`.split("+").some((axis) => Number(axis) >= axes);
    if (!known.includes(option)) fields[name] = usual;
    else if (beyond) fields[name] = form === "axis" ? 0 : usual;
    else if (whole && fields[name] >= fields[whole]) fields[name] = usual;
  }
}

/**
 * The value of an option, and its maximum.
 * @type {(fields: Fields, option: Option) => {value: number, most: number}}
 */
export function optionValue(fields, { name, whole, high }) {
  const most = whole ? fields[whole] : high;
  return { value: fields[name] ?? most, most };
}

/**
 * Return the spelling of the blocked cells after one more is blocked, or free again.
 * @type {(blocked: number[], cell: number) => string}
 */
export function blockedWith(blocked, cell) {
  const cells = blocked.includes(cell) ? blocked.filter((at) => at !== cell) : [...blocked, cell];
  return cells.sort((a, b) => a - b).join("+");
}

/**
 * Return the number of players in a spec, without parsing it.
 * @type {(spec: string) => number}
 */
export const playersOf = (spec) => Number(/[:,]players=([2-8])\b/.exec(spec)?.[1] ?? 2);
