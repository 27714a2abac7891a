/** The certain part of a text does not depend on how the text is cut while it arrives. */
import { expect, test } from "vitest";
import { certainText, type TextRules } from "../../src/markup/certain-text.ts";

const tag: TextRules = { lineFeed: "layout", tail: "space" };
const xml: TextRules = { tail: "space", oneLine: true, entities: true };

test.each<[string, TextRules, string, string]>([
  ["a plain text", {}, "a b ", "a b "],
  ["white space at the end waits", tag, "a b \n", "a b"],
  ["a line feed in front is layout", tag, "\r\n\n a\n\nb\n", "\n a\n\nb"],
  ["nothing but white space waits", tag, " \n ", ""],
  [
    "a line feed in front that may be layout waits for the end",
    { ...tag, lineFeed: "unclear" },
    "\na\nb",
    "",
  ],
  ["null waits while it may be the whole text", { ...tag, orNull: true }, "\nnull\n", ""],
  ["a word that begins like null is text", { ...tag, orNull: true }, " nullable", " nullable"],
  ["half a surrogate pair waits", {}, "a\ud83d", "a"],
  ["closing braces at the end wait", { tail: "braces" }, "a}}b}}", "a}}b"],
  ["a reference is its character", xml, "a&lt;&#38;b", "a<&b"],
  ["half a reference waits", xml, "a &am", "a "],
  ["what is too long for a reference is text", xml, "a &ampersand is b", "a &ampersand is b"],
  ["a space in front waits in one line", xml, " a b", ""],
  ["a space in front of a line that ends is text", xml, " a\n", " a"],
  ["a space in front of many lines is text", xml, " a\n b", " a\n b"],
])("%s", (_name, rules, text, certain) => {
  const cuts = [[text], text.split(""), ...[...text].map((_, at) => [text.slice(0, at), text.slice(at)])];
  for (const pieces of cuts) {
    const reader = certainText(rules);
    expect(pieces.map((piece) => reader.add(piece)).join(""), JSON.stringify(pieces)).toBe(certain);
  }
});

test("what waits is dropped by a restart", () => {
  const reader = certainText(tag);
  expect([reader.add(" \n "), reader.restart(), reader.add("a")]).toEqual(["", undefined, "a"]);
});
