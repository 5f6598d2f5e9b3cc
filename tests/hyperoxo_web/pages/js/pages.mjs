// Parts of pages: a choice from a list, a list in portions, and positions that are set up.
import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { isTyped } from "../../../../src/hyperoxo_web/pages/static/lib/keys.js";
import { filled } from "../../../../src/hyperoxo_web/pages/static/lib/lines.js";
import { listing, sending } from "../../../../src/hyperoxo_web/pages/static/lib/page.js";
import { Pick } from "../../../../src/hyperoxo_web/pages/static/lib/results.js";
import { blockedWith } from "../../../../src/hyperoxo_web/pages/static/lib/spec.js";
import {
  lineThrough,
  movesTo,
  owners,
  played,
  posed,
  textOf,
} from "../../../../src/hyperoxo_web/pages/static/lib/tree.js";

/** A component as far as its script goes: properties, data, methods, and what it has sent. */
function made({ data, methods }, props) {
  const vm = { ...props, sent: [] };
  vm.$emit = (...event) => vm.sent.push(event);
  for (const [name, method] of Object.entries(methods)) vm[name] = method.bind(vm);
  return Object.assign(vm, data.call(vm, vm));
}

test("a choice is one of a list, or any other as it is spelled", () => {
  const options = [
    ["Ising", "ising"],
    ["Random", "random"],
  ];
  const { get, set } = Pick.computed.choice;
  const pick = made(Pick, { options, modelValue: "ising" });
  assert.equal(get.call(pick), "ising");
  set.call(pick, "random");
  assert.deepEqual(pick.sent, [["update:modelValue", "random"]]);
  set.call(pick, "");
  assert.deepEqual([get.call(pick), pick.typed, pick.sent.length], ["", true, 1]);
  assert.equal(made(Pick, { options, modelValue: "ising:bias=2" }).typed, true);
  const other = made(Pick, { options, modelValue: "random" });
  other.modelValue = "mcts";
  Pick.watch.modelValue.call(other);
  assert.equal(other.typed, true);
});

test("a list grows by portions, and what was asked for before comes too late", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const portion = Array.from({ length: 50 }, (_, i) => i);
  const list = made(listing, { entries: portion, now: 7, asked: { query: "a" } });
  assert.equal(list.more, true);
  list.find(50);
  mock.timers.tick(1);
  assert.deepEqual(list.sent, [["find", { query: "a", offset: 50, asked: 1 }]]);
  list.found({ entries: [50, 51], offset: 50, now: 8, asked: 1 });
  assert.deepEqual([list.list.length, list.more, list.clock], [52, false, 8]);
  list.find();
  list.find();
  mock.timers.tick(500);
  assert.equal(list.sent.length, 2);
  list.found({ entries: ["late"], offset: 0, now: 9, asked: 1 });
  assert.equal(list.list.length, 52);
  list.found({ entries: ["new"], offset: 0, now: 9, asked: 2 });
  assert.deepEqual(list.list, ["new"]);
  mock.timers.reset();
});

test("a page waits for what it sent, until that is done or refused", () => {
  const page = made(sending, {});
  page.send("stop", {}, "Stopping…");
  assert.deepEqual([page.busy, page.sent], ["Stopping…", [["stop", {}]]]);
  page.failed("It is over.");
  assert.deepEqual([page.busy, page.error], [false, "It is over."]);
  page.send("begin", { games: 3 });
  assert.deepEqual([page.busy, page.error], ["begin", ""]);
});

test("moves put stones in turn, and text and owners are the same", () => {
  const geometry = { turns: [1, 2, 2], lines: [[0, 1, 2]] };
  const owner = played(geometry, owners("....#"), [0, 3, 1]);
  assert.equal(textOf(owner), "12.2#");
  assert.equal(textOf(played(geometry, owner, [2])), "1212#");
  const usual = posed({ ...geometry, gravity: null }, owners("1...#"));
  assert.deepEqual([usual.mover, usual.last, usual.legal], [2, null, [1, 2, 3]]);
  assert.deepEqual(posed(geometry, owner, { mover: 0 }).legal, []);
});

test("full lines are those of one player", () => {
  const lines = [
    [0, 1],
    [2, 3],
    [3, 4],
    [4, 5],
  ];
  assert.deepEqual(filled({ lines }, owners("1122##")), [
    [0, 1],
    [2, 3],
  ]);
});

test("a line through a node goes on where the last branch does", () => {
  const tree = { parents: [-1, 0, 1, 1, 3, 0], cells: [-1, 4, 0, 8, 2, 7] };
  assert.deepEqual(lineThrough(tree, 1), [0, 1, 3, 4]);
  assert.deepEqual(lineThrough(tree, 2), [0, 1, 2]);
  assert.deepEqual(lineThrough(tree, 0), [0, 5]);
  assert.deepEqual(movesTo(tree, 4), [4, 8, 2]);
  assert.deepEqual(movesTo(tree, 0), []);
});

test("a cell is blocked, and free again", () => {
  assert.equal(blockedWith([], 4), "4");
  assert.equal(blockedWith([10, 2], 4), "2+4+10");
  assert.equal(blockedWith([10, 2], 10), "2");
  assert.equal(blockedWith([2], 2), "");
});

test("keys of a field and of the browser are not the page's", () => {
  const inside = (field) => ({ closest: (selectors) => (selectors.includes(field) ? {} : null) });
  const plain = { altKey: false, ctrlKey: false, metaKey: false };
  assert.equal(isTyped({ ...plain, target: inside("input") }), true);
  assert.equal(isTyped({ ...plain, target: inside(".flat") }), false);
  assert.equal(isTyped({ ...plain, target: inside(".flat") }, ".flat"), true);
  assert.equal(isTyped({ ...plain, ctrlKey: true, target: inside("nothing") }), true);
});
