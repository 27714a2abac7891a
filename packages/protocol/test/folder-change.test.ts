/** What the person types after `/add-dir`. */
import { expect, test } from "vitest";
import { type FolderChange, readFolderChange } from "../src/folder-change.ts";

test.each<[string, FolderChange | undefined]>([
  ["", undefined],
  ["  ", undefined],
  ["../lib", { kind: "add", path: "../lib" }],
  ["~/my folder", { kind: "add", path: "~/my folder" }],
  ['"/a b"', { kind: "add", path: "/a b" }],
  ["/lib yes", { kind: "add", path: "/lib", trust: "yes" }],
  ["'/a b' read", { kind: "add", path: "/a b", trust: "read" }],
  ["yes", { kind: "add", path: "yes" }],
  ["remove ../lib", { kind: "remove", path: "../lib" }],
  ["rm /a b", { kind: "remove", path: "/a b" }],
  ["remove", { kind: "add", path: "remove" }],
])("%j", (words, expected) => {
  expect(readFolderChange(words)).toEqual(expected);
});
