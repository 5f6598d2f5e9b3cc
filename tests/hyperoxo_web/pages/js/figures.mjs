// Figures of reports: as many digits as mean something.
import assert from "node:assert/strict";
import test from "node:test";
import {
  decimalsIn,
  decimalsOf,
  written,
} from "../../../../src/hyperoxo_web/pages/static/lib/report.js";

test("an interval says how many decimals make sense", () => {
  const shown = ({ ours, low, high }) => written(ours, decimalsOf(low, high));
  assert.equal(shown({ ours: 33.3333, low: 6.1, high: 79.2 }), "33");
  assert.equal(shown({ ours: 54.80512, low: 54.1, high: 55.5 }), "54.81");
  assert.equal(shown({ ours: 0.019204, low: 0.0181, high: 0.0203 }), "0.0192");
  assert.equal(shown({ ours: 0.64, low: null, high: null }), "0.64");
  assert.equal(written(12345), "12,345");
});

test("figures of a column have the same number of decimals where they are of one size", () => {
  const column = (values) => values.map((value) => written(value, decimalsIn(values)));
  assert.deepEqual(column([33.3333333, 54.805, 60]), ["33.3", "54.8", "60"]);
  assert.deepEqual(column([0.123456, 0.98765]), ["0.123", "0.988"]);
  assert.deepEqual(column([0.019204, 54.8125]), ["0.0192", "54.81"]);
  assert.deepEqual(column([null, "x", true, 3]), ["", "x", "yes", "3"]);
});
