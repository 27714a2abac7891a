/** A program written in ASCII gives the same values as before. */
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { asciiSource } from "../scripts/ascii-source.ts";

const same = [
  `"é – 漢 😀"`,
  "`é–😀`",
  `/^[à-ÿ–]+$/.test("é–")`,
  `/^[😀-😂]$/u.test("😁")`,
  `"\\\\é"`,
  `var größe = 3; größe + 1`,
  `"plain"`,
  `/* ‘quoted’ */ "\u2028".length`,
];

test.each(same)("%s", (source) => {
  const ascii = asciiSource(source);
  expect(ascii).toMatch(/^[\0-\x7f]*$/);
  expect(runInNewContext(ascii)).toEqual(runInNewContext(source));
});

test.each(["String.raw`é`", `"\\é"`, `/\\–/`])("%s would change, so it is refused", (source) => {
  expect(() => asciiSource(source)).toThrow("cannot be written in ASCII");
});
