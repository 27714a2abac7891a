/** Checks vim's keys on a draft. `|` is the cursor; `¶` in a text is a line feed. */
import { describe, expect, test } from "vitest";
import { createVimKeys } from "../../src/editor/vim/vim-keys.ts";
import type { VimText } from "../../src/editor/vim/vim-state.ts";

function read(shown: string): VimText {
  const text = shown.replaceAll("¶", "\n");
  return { text: text.replace("|", ""), at: text.indexOf("|") };
}

function show({ text, at }: VimText): string {
  return `${text.slice(0, at)}|${text.slice(at)}`.replaceAll("\n", "¶");
}

/** Presses keys, `⎋` for Esc and `↻` for Ctrl+R, beginning in normal mode. In insert mode they are typed. */
function press(shown: string, pressed: string): string {
  const keys = createVimKeys();
  keys.escape({ text: "", at: 0 });
  let draft = read(shown);
  let recalled = "";
  for (const key of pressed) {
    if (key === "⎋") draft = keys.escape(draft);
    else if (keys.mode() === "insert") {
      draft = {
        text: draft.text.slice(0, draft.at) + key + draft.text.slice(draft.at),
        at: draft.at + key.length,
      };
    } else {
      const next = keys.press(key === "↻" ? "redo" : key, draft);
      if (typeof next === "string") recalled = ` ${next}`;
      else draft = next;
    }
  }
  return `${show(draft)}${keys.mode() === "insert" ? " insert" : ""}${recalled}`;
}

const cases: readonly (readonly [group: string, cases: readonly (readonly [string, string, string])[]])[] = [
  [
    "moves",
    [
      ["ab|cd", "h", "a|bcd"],
      ["|abcd", "h", "|abcd"],
      ["ab|cd", "l", "abc|d"],
      ["abc|d", "l", "abc|d"],
      ["|abcd", "3l", "abc|d"],
      ["a|👩‍👩‍👧b", "l", "a👩‍👩‍👧|b"],
      ["a|b¶cd¶e", "j", "ab¶c|d¶e"],
      ["ab¶c|d¶e", "j", "ab¶cd¶|e"],
      ["ab¶cd¶|e", "kk", "|ab¶cd¶e"],
      ["|a¶b¶c", "2j", "a¶b¶|c"],
      ["|one two.three  four", "w", "one |two.three  four"],
      ["one |two.three  four", "w", "one two|.three  four"],
      ["|one two.three  four", "4w", "one two.three  |four"],
      ["|one¶¶two", "w", "one¶|¶two"],
      ["one two|.three", "b", "one |two.three"],
      ["one two.thr|ee", "3b", "one |two.three"],
      ["|one two", "e", "on|e two"],
      ["on|e two", "e", "one tw|o"],
      ["  ab |cd", "0", "|  ab cd"],
      ["  ab |cd", "^", "  |ab cd"],
      ["a|b cd¶e", "$", "ab c|d¶e"],
      ["a¶  b¶|c", "gg", "|a¶  b¶c"],
      ["|a¶  b¶ c", "G", "a¶  b¶ |c"],
      ["|a¶  b¶ c", "2G", "a¶  |b¶ c"],
      ["|abcabc", "fc", "ab|cabc"],
      ["|abcabc", "2fc", "abcab|c"],
      ["|abcabc", "tc", "a|bcabc"],
      ["abcab|c", "Fa", "abc|abc"],
      ["abcab|c", "Ta", "abca|bc"],
      ["|ab¶c", "fc", "|ab¶c"],
      ["|a", "k", "|a earlier"],
      ["|a", "j", "|a later"],
      ["¶|a", "k", "|¶a"],
    ],
  ],
  [
    "insertions",
    [
      ["a|b", "ix⎋", "a|xb"],
      ["a|b", "ax⎋", "ab|x"],
      ["  a|b", "Ix⎋", "  |xab"],
      ["|ab¶c", "Ax⎋", "ab|x¶c"],
      ["a|b¶c", "ox⎋", "ab¶|x¶c"],
      ["ab¶|c", "Ox⎋", "ab¶|x¶c"],
      ["|", "ix", "x| insert"],
    ],
  ],
  [
    "edits",
    [
      ["a|bc", "x", "a|c"],
      ["a|bcd", "2x", "a|d"],
      ["ab|c", "x", "a|b"],
      ["|", "x", "|"],
      ["ab|c", "X", "a|c"],
      ["|a¶b¶c", "dd", "|b¶c"],
      ["a¶b¶|c", "dd", "a¶|b"],
      ["|a¶b¶c", "2dd", "|c"],
      ["|a", "dd", "|"],
      ["a¶|b¶c", "dj", "|a"],
      ["one |two three", "dw", "one |three"],
      ["one |two¶three", "dw", "one| ¶three"],
      ["|one two three", "d2w", "|three"],
      ["|one two three", "2dw", "|three"],
      ["one |two", "db", "|two"],
      ["|one two", "de", "| two"],
      ["a|bc¶d", "D", "|a¶d"],
      ["a|bc¶d", "Cx", "ax|¶d insert"],
      ["a|bc¶d", "ccx", "x|¶d insert"],
      ["a|bc", "d0", "|bc"],
      ["|abc,d", "df,", "|d"],
      ["|abc,d", "dt,", "|,d"],
      ["|one two", "cwx", "x| two insert"],
      ["one t|wo x", "ciwy", "one y| x insert"],
      ["one t|wo x", "daw", "one |x"],
      ["a|bc", "rx", "a|xc"],
      ["|abc", "2rx", "x|xc"],
      ["a|bc", "sx", "ax|c insert"],
      ["|ab¶cd", "yyjp", "ab¶cd¶|ab"],
      ["ab¶|cd", "yyP", "ab¶|cd¶cd"],
      ["|ab cd", "yw$p", "ab cdab| "],
      ["|ab", "xp", "b|a"],
      ["|ab", "x3p", "baa|a"],
      ["|a¶b", "ddp", "b¶|a"],
      ["one |two", "cwthree⎋u", "one |two"],
      ["|abc", "xxu", "|bc"],
      ["|abc", "xxuu", "|abc"],
      ["|abc", "xxuu↻", "|bc"],
      ["|abc", "xu↻u", "|abc"],
      ["|abc", "d⎋x", "|bc"],
      ["|abc", "zx", "|bc"],
      ["|abc", "dzx", "|bc"],
    ],
  ],
];

describe.each(cases)("%s", (_group, rows) => {
  test.each(rows)("%s, keys %s: %s", (shown, pressed, wanted) => {
    expect(press(shown, pressed)).toBe(wanted);
  });
});
