// The line that says that something is prepared: not for what is over at once.
import assert from "node:assert/strict";
import test, { mock } from "node:test";
import {
  parts,
  delayed,
  preparingText,
} from "../../../../src/hyperoxo_web/pages/static/lib/preparing.js";

test("what is compiled in a moment is not worth a word", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const shown = [];
  const hear = delayed((preparing) => shown.push(preparing && preparing.done));
  hear({ done: 0, needed: 3 });
  mock.timers.tick(300);
  hear(null);
  mock.timers.tick(5000);
  assert.deepEqual(shown.splice(0), [null]);

  hear({ done: 1, needed: 3 });
  mock.timers.tick(700);
  assert.deepEqual(shown.splice(0), [1]);
  hear(null); // between two parts
  mock.timers.tick(300);
  hear({ done: 2, needed: 5 });
  mock.timers.tick(5000);
  assert.ok(shown.every((done) => done === 2) && shown.splice(0).length);

  hear(null);
  mock.timers.tick(700);
  assert.deepEqual(shown, [null]);
  mock.timers.reset();
});

test("a process that is only loaded prepares no board, and one part of one says nothing", () => {
  assert.equal(preparingText({ needed: 0 }), "Getting ready.");
  assert.equal(preparingText({ needed: 3 }), "Preparing this board (once).");
  assert.equal(parts({ done: 1, needed: 3 }), "1 of about 3 parts");
  assert.equal(parts({ done: 0, needed: 1 }), "");
});
