// Game specs taken apart and put together again.
const YES = new Set(["misere", "gravity"]);

/** Take a spec apart; other boards are kept as text, and so are other options. */
export function parse(spec) {
  const [base, rest = ""] = spec.includes("}") ? splitAt(spec, spec.lastIndexOf("}") + 1) : splitAt(spec, spec.indexOf(":"));
  const fields = { kind: "other", base, side: 3, dim: 2, rows: 7, columns: 6, run: 4, players: 2, target: 1, misere: false, gravity: null, blocked: "", opening: "", more: [] };
  const cube = /^(\d+)\^(\d+)$/.exec(base);
  const plane = /^(\d+),(\d+),(\d+)$/.exec(base);
  if (cube) Object.assign(fields, { kind: "cube", side: Number(cube[1]), dim: Number(cube[2]) });
  if (plane) Object.assign(fields, { kind: "plane", rows: Number(plane[1]), columns: Number(plane[2]), run: Number(plane[3]) });
  for (const option of rest.split(",").filter(Boolean)) {
    const [name, value] = option.split("=");
    if (name === "gravity") fields.gravity = Number(value ?? 0);
    else if (YES.has(name)) fields[name] = true;
    else if (name === "players" || name === "target") fields[name] = Number(value);
    else if (name === "blocked" || name === "opening") fields[name] = value ?? "";
    else fields.more.push(option);
  }
  return fields;
}

/** Put fields together to a spec. */
export function build(fields) {
  const { kind, side, dim, rows, columns, run } = fields;
  const base = kind === "cube" ? `${side}^${dim}` : kind === "plane" ? `${rows},${columns},${run}` : fields.base;
  const options = [];
  if (fields.players !== 2) options.push(`players=${fields.players}`);
  if (fields.target !== 1) options.push(`target=${fields.target}`);
  if (fields.misere) options.push("misere");
  if (fields.gravity !== null) options.push(fields.gravity === 0 ? "gravity" : `gravity=${fields.gravity}`);
  if (fields.blocked) options.push(`blocked=${fields.blocked}`);
  if (fields.opening) options.push(`opening=${fields.opening}`);
  options.push(...fields.more);
  return base + (options.length ? `:${options.join(",")}` : "");
}

function splitAt(text, at) {
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at).replace(/^:/, "")];
}
