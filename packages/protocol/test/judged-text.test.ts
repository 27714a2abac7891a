/** What a person who judges a text sees of characters that look like others, and of words from right to left. */
import { judgedText } from "@localharness/protocol";
import { describe, expect, test } from "vitest";

describe("a character that looks like a sign of a shell is marked", () => {
  test.each([
    ["a Greek question mark for a semicolon", "true\u037e rm -rf keep", "U+037E"],
    ["a division slash", "rm -rf \u2215home", "U+2215"],
    ["a fraction slash", "cat ..\u2044secret", "U+2044"],
    ["a one dot leader", "rm a\u2024txt", "U+2024"],
    ["a two dot leader", "cat \u2025/secret", "U+2025"],
    ["an ellipsis in a path", "cat \u2026/secret", "U+2026"],
    ["a fullwidth bar", "cat a \uff5c sh", "U+FF5C"],
    ["a divides sign for a bar", "cat a \u2223 sh", "U+2223"],
    ["a click letter for a bar", "cat a \u01c0 sh", "U+01C0"],
    ["a drawn line for a bar", "cat a \u2502 sh", "U+2502"],
    ["a halfwidth drawn line", "cat a \uffe8 sh", "U+FFE8"],
    ["a small ampersand", "true \ufe60 sh", "U+FE60"],
    ["a small semicolon", "true\ufe54 sh", "U+FE54"],
    ["a colon letter", "a\ua789b", "U+A789"],
    ["an angle bracket", "echo a \u276f b", "U+276F"],
    ["a guillemet", "echo a \u203a b | sh", "U+203A"],
    ["a Greek varia for a backtick", "echo \u1fefid\u1fef", "U+1FEF"],
    ["a prime for a quote", "echo \u2032a; id\u2032", "U+2032"],
    ["a typographic quote in a command", "echo \u201cdone; id\u201d", "U+201C"],
    ["a dash for a hyphen at an option", "rm \u2013rf keep", "U+2013"],
    ["a minus for a hyphen", "rm \u2212rf keep", "U+2212"],
    ["an asterisk operator", "rm \u2217", "U+2217"],
    ["a no-break space", "rm -rf a\u00a0b", "U+00A0"],
    ["a thin space", "rm -rf a\u2009b", "U+2009"],
    ["an ideographic space beside Latin letters", "rm -rf a\u3000b", "U+3000"],
    ["a private character", "echo \ue0b0 x", "U+E0B0"],
    ["a private character of another plane", "echo \u{f0001} x", "U+F0001"],
    ["an unassigned character", "echo \u{50000} x", "U+50000"],
    ["an Arabic comma between Latin words", "a\u060c b", "U+060C"],
    ["a Hebrew paseq for a bar, in a Hebrew name too", "cat \u05d0\u05d1 \u05c0 sh", "U+05C0"],
    ["a danda for a bar", "cat a \u0964 sh", "U+0964"],
    ["a katakana stroke for a slash", "cat a\u30ceb", "U+30CE"],
    ["brackets as those of a mark", "\u27e8ok\u27e9", "U+27E8"],
  ])("%s", (_name, text, code) => {
    expect(judgedText(text)).toContain(`⟨${code}⟩`);
    expect(judgedText(judgedText(text)), "judged twice").toBe(judgedText(text));
  });
});

describe("ordinary text has no marks", () => {
  test.each([
    "plain text | with ; all & the $signs <of> `a` {shell}",
    "It\u2019s fine \u2014 a dash, \u201cquotes\u201d, an ellipsis\u2026 and 1\u20132.",
    "\u00abBonjour\u00bb, dit-il \u2013 na\u00efve caf\u00e9.",
    "\u201eGr\u00fc\u00dfe\u201c aus K\u00f6ln",
    "\u4f60\u597d\u3001\u4e16\u754c\u3002\u4e00\u4e8c\u4e09\u3000\u300c\u5f15\u7528\u300d",
    "\u30b3\u30fc\u30d2\u30fc\u30fb\u30ce\u30fc\u30c8",
    "\u0645\u0631\u062d\u0628\u0627\u060c \u0643\u064a\u0641 \u062d\u0627\u0644\u0643\u061f",
    "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd 12",
    "\u0928\u092e\u0938\u094d\u0924\u0947\u0964",
    "\u251c\u2500\u2500 src\n\u2502   \u251c\u2500\u2500 a.ts\n\u2514\u2500\u2500 b.ts",
    "\u2502 a \u2502 b \u2502",
    "3 \u00d7 4 \u2248 12 \u00b1 1 \u2192 \u2713 \u{1f600} \u00a9 20 \u20ac \u00b0",
    "x\u00b2 + \u03b1\u03b2 \u2264 \u221e",
    "\u041f\u0440\u0438\u0432\u0435\u0442 \u043c\u0438\u0440",
  ])("%s", (text) => {
    expect(judgedText(text)).toBe(text);
  });
});

describe("words from right to left", () => {
  const [one, two] = ["\u05d0\u05d1\u05d2", "\u0645\u0635\u0631"];
  const mark = (word: string) => `⟨rtl⟩${word}⟨ltr⟩`;

  test.each([
    ["source and destination", `cp ${one} ${two}`, `cp ${mark(one)} ${mark(two)}`],
    ["the parts of a path", `rm ${one}/${two}`, `rm ${mark(one)}/${mark(two)}`],
    ["a word and a number", `kill ${one} 12`, `kill ${mark(one)} 12`],
    ["a word that begins a line", `${one} rm`, `${mark(one)} rm`],
    ["each line alone", `cp ${one} ${two}\nrm ${one}`, `cp ${mark(one)} ${mark(two)}\nrm ${one}`],
    ["words with points", `cp \u05d0\u05b8\u05d1 ${two}`, `cp ${mark("\u05d0\u05b8\u05d1")} ${mark(two)}`],
  ])("that could change places are marked: %s", (_name, text, shown) => {
    expect(judgedText(text)).toBe(shown);
    expect(judgedText(shown), "judged twice").toBe(shown);
  });

  test.each([
    ["one word among Latin words", `cat ${one} now`],
    ["words with Latin words between them", `cp ${one} to ${two} now`],
    ["a text of the script", `${one} ${two} 12, ${one}.`],
  ])("that keep their places have no marks: %s", (_name, text) => {
    expect(judgedText(text)).toBe(text);
  });
});
