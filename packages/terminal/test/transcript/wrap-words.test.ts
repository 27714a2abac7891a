/** Long lines, which are not wrapped by pi-tui: no character but blanks at ends is lost, and no row is too wide. */
import { visibleWidth } from "@earendil-works/pi-tui";
import { describe, expect, test } from "vitest";
import { wrapWords } from "../../src/transcript/wrap-words.ts";

const esc = "\u001b";
const long = (unit: string) => unit.repeat(Math.ceil(10_000 / unit.length));
const style = new RegExp(`${esc}\\[[\\d;]*m| `, "g");
const bare = (rows: readonly string[]) => rows.join("").replaceAll(style, "");

describe("a long line", () => {
  test.each([
    ["without blanks", long("x")],
    ["of words", long("some words of a line ")],
    ["of words longer than a row", long(`${"y".repeat(50)} z `)],
    ["of blanks at its end", `${long("x")}${" ".repeat(200)}`],
    ["of accents", long("na\u00efve caf\u00e9 ")],
    ["of combining accents", long("e\u0301x ")],
    ["with an accent after a whole row of ASCII", `${"a".repeat(20)}\u0301${long("b")}`],
    ["of wide characters", long("\u4f60\u597d")],
    ["of wide and narrow characters", long("a\u4f60b \u597d")],
    ["of emoji", long("x\u{1f600} ")],
    ["of signs that become emoji", long("\u2764\ufe0f")],
    ["of digits that become keys", long("1\ufe0f\u20e3")],
    ["with a sign that becomes an emoji after a whole row of ASCII", long(`${"a".repeat(19)}1\ufe0f\u20e3`)],
    ["of emoji that are joined", long("\u261d\ufe0f\u200d\u2642\ufe0fx")],
    ["of tabs", long("a\tb")],
    ["with a style", `${esc}[31m${long("red ")}${esc}[39m`],
  ])("%s is wrapped without a loss", (_name, text) => {
    for (const width of [20, 7]) {
      const rows = wrapWords(text, width);
      expect(bare(rows)).toBe(bare([text]));
      expect(Math.max(...rows.map((row) => visibleWidth(row)))).toBeLessThanOrEqual(width);
      expect(rows.length).toBeLessThan(10_000);
    }
  });

  test("breaks between words, and each row has the style", () => {
    const rows = wrapWords(`${esc}[31m${long("one two ")}${esc}[39m`, 9);
    expect(rows.slice(0, 2)).toEqual([`${esc}[31mone two${esc}[39m`, `${esc}[31mone two${esc}[39m`]);
  });

  test("keeps the lines of a long text", () => {
    expect(wrapWords(`${"a\n".repeat(3_000)}b`, 20)).toHaveLength(3_001);
  });
});
