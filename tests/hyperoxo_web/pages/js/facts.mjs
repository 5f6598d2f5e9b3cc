// Facts that the program knows: HYPEROXO_FACTS names their file, which test_scripts.py writes.
import { readFileSync } from "node:fs";
import { grammar } from "../../../../src/hyperoxo_web/pages/static/lib/spec.js";

const file = process.env.HYPEROXO_FACTS;
const facts = file
  ? JSON.parse(readFileSync(file, "utf8"))
  : { positions: [], boards: {}, grammar };
Object.assign(grammar, facts.grammar);

export const { positions, boards } = facts;
export const skip = file
  ? false
  : "HYPEROXO_FACTS names no file: run pytest tests/hyperoxo_web/pages/test_scripts.py";
