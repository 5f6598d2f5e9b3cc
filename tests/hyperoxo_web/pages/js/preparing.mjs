// The line that says that something is prepared: not for what is over at once, and its words only once.
import assert from "node:assert/strict";
import test, { mock } from "node:test";
import {
  howFar,
  preparingLine,
  whatFor,
} from "../../../../src/hyperoxo_web/pages/static/lib/preparing.js";

class Element {
  children = [];
  attributes = {};
  set textContent(text) {
    this.text = text;
    this.children = [];
    this.firstChild = text;
  }
  append(...more) {
    this.children.push(...more);
  }
  appendChild(one) {
    this.append(one);
    this.lastChild = one;
    return one;
  }
  replaceChildren() {
    this.children = [];
    this.text = this.firstChild = this.lastChild = null;
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
}

test("what is compiled in a moment is not worth a word", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.document = { createElement: () => new Element() };
  const place = new Element();
  const hear = preparingLine(place);
  hear({ done: 0, needed: 3 });
  mock.timers.tick(300);
  hear(null);
  mock.timers.tick(5000);
  assert.ok(!place.firstChild);

  hear({ done: 1, needed: 3 });
  mock.timers.tick(700);
  assert.equal(place.text, "Preparing this board (once).");
  const seen = place.lastChild;
  const [bar, words] = seen.children;
  assert.deepEqual(
    [bar.value, bar.max, words.text, seen.attributes["aria-hidden"]],
    [1, 3, "1 of about 3 parts", "true"],
  );

  hear(null); // between two parts
  mock.timers.tick(300);
  hear({ done: 2, needed: 5 });
  mock.timers.tick(5000);
  assert.equal(place.lastChild, seen);
  assert.deepEqual([bar.value, bar.max, words.text], [2, 5, "2 of about 5 parts"]);

  hear(null);
  mock.timers.tick(700);
  assert.ok(!place.firstChild);
  mock.timers.reset();
});

test("a process that is only loaded prepares no board", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.document = { createElement: () => new Element() };
  const place = new Element();
  const hear = preparingLine(place);
  hear({ done: 0, needed: 0 });
  mock.timers.tick(700);
  assert.equal(place.text, "Getting ready.");
  hear({ done: 0, needed: 3 });
  assert.equal(place.text, whatFor({ needed: 3 }));
  hear({ done: 1, needed: 3 });
  assert.equal(place.children.length, 1);
  mock.timers.reset();
});

test("one part of one says nothing", () => assert.equal(howFar({ done: 0, needed: 1 }), ""));
