/** Checks what typing does: paths after `@`, and the way through earlier messages. */
import { expect, test } from "vitest";
import { treeOf } from "../../src/session/file-tree.ts";
import { createHistory } from "../../src/session/history.ts";
import { mentionAt, withPath } from "../../src/session/mention-at.ts";

test.each([
  ["look at @src/a", 14, { typed: "src/a", from: 8 }],
  ["@", 1, { typed: "", from: 0 }],
  ["(@a", 3, { typed: "a", from: 1 }],
  ["a@b", 3, undefined],
  ["@a b", 4, undefined],
  ["@a b", 2, { typed: "a", from: 0 }],
])("in %j at %i the mention is %j", (text, cursor, mention) => {
  expect(mentionAt(text, cursor)).toEqual(mention);
});

test.each([
  ["see @sr now", 7, "src/", "see @src/ now", 9],
  ["see @a", 6, "a.ts", "see @a.ts ", 10],
  ["see @my", 7, "my notes.md", 'see @"my notes.md" ', 19],
])("in %j at %i the path %j gives %j", (text, cursor, path, edited, after) => {
  const mention = mentionAt(text, cursor);
  expect(mention && withPath(text, cursor, mention, path)).toEqual({ text: edited, cursor: after });
});

test("the draft comes back after the earlier messages", () => {
  const history = createHistory(["one", "two"]);
  expect(history.step(-1, "draft")).toBe("two");
  expect(history.step(-1, "two")).toBe("one");
  expect(history.step(-1, "one")).toBeUndefined();
  expect(history.step(1, "one")).toBe("two");
  expect(history.step(1, "two")).toBe("draft");
  expect(history.step(1, "draft")).toBeUndefined();
});

test("paths become a tree with the folders first", () => {
  const paths = ["b.txt", "src/z.ts", "src/deep/a.ts", "a.txt"];
  const names = (nodes: ReturnType<typeof treeOf>): unknown =>
    nodes.map(({ name, children }) => (children === undefined ? name : [name, names(children)]));
  expect(names(treeOf(paths))).toEqual([["src", [["deep", ["a.ts"]], "z.ts"]], "a.txt", "b.txt"]);
  expect(names(treeOf(paths, "src a"))).toEqual([["src", [["deep", ["a.ts"]]]]]);
});
