/** Checks the keys that recall, clear and bring back messages in the editor. */
import { expect, test } from "vitest";
import { keys, openEditor } from "./open-editor.ts";

test("↑ puts the cursor at the end of a recalled message, also of one with several or long lines", () => {
  const { editor, press, shown } = openEditor();
  const long = "long words ".repeat(30).trim();
  for (const message of ["one", "two\nlines", long, `${long}\nand more`]) editor.remember(message);
  press(keys.up);
  expect(shown()).toBe(`${long}\nand more|`);
  press(keys.up);
  expect(shown()).toBe(`${long}|`);
  press(keys.up);
  expect(shown()).toBe("two\nlines|");
  press(keys.up);
  expect(shown()).toBe("one|");
  press(keys.up);
  expect(shown()).toBe("one|");
  press(keys.down);
  expect(shown()).toBe("two\nlines|");
  press(keys.down, keys.down, keys.down);
  expect(shown()).toBe("|");
});

test("↑ moves within a recalled message once another key was pressed in it", () => {
  const { editor, press, shown } = openEditor();
  for (const message of ["one", "two\nlines"]) editor.remember(message);
  press(keys.up, keys.left, keys.up);
  expect(shown()).toBe("two|\nlines");
  press("!", keys.enter, keys.up);
  expect(shown()).toBe("two!\nlines|");
});

test("Ctrl+P and Ctrl+N recall earlier and later messages from any line", () => {
  const { editor, press, shown } = openEditor();
  for (const message of ["one", "two"]) editor.remember(message);
  press("a draft", keys.newLine, "of two lines", keys.ctrl("p"));
  expect(shown()).toBe("two|");
  press(keys.ctrl("p"), keys.ctrl("n"), keys.ctrl("n"));
  expect(shown()).toBe("a draft\nof two lines|");
});

test("Ctrl+U deletes to the start of the line, Ctrl+Y brings it back", () => {
  const { press, shown } = openEditor();
  press("one", keys.newLine, "two words", keys.ctrl("u"));
  expect(shown()).toBe("one\n|");
  press(keys.ctrl("y"));
  expect(shown()).toBe("one\ntwo words|");
  press(keys.left, keys.left, keys.ctrl("u"));
  expect(shown()).toBe("one\n|ds");
});

test("Ctrl+U clears a draft of one line that was recalled", () => {
  const { editor, press, shown } = openEditor();
  editor.remember("a message that is far longer than one row ".repeat(5).trim());
  press(keys.up, keys.ctrl("u"));
  expect(shown()).toBe("|");
  press(keys.up);
  expect(shown()).toMatch(/far longer than one row\|$/);
});

test("a file chosen after @ is shown below the text, and Backspace removes its name as a whole", async () => {
  const { editor, press, shown } = openEditor({ completePath: async () => ["src/my notes.md", "src/a.ts"] });
  press("see @my");
  await expect.poll(() => editor.isShowingAutocomplete()).toBe(true);
  press(keys.enter);
  expect(shown()).toBe('see @"src/my notes.md" |');
  expect(editor.render(60).at(-1)).toMatch(/^── attaches src\/my notes\.md ─+$/);
  expect(editor.render(10).at(-1)).toMatch(/^── attach\S*…\S*$/);
  press(keys.backspace, keys.backspace);
  expect(shown()).toBe("see |");
  expect(editor.render(20).at(-1)).toBe("─".repeat(20));
});

test("a folder is completed after /add-dir, step by step", async () => {
  const asked: string[] = [];
  const { editor, press, shown } = openEditor({
    completeFolder: async (typed) => {
      asked.push(typed);
      return ["../lib/", "../lib two/"];
    },
  });
  press("/add-dir ../l");
  await expect.poll(() => editor.isShowingAutocomplete()).toBe(true);
  press("\t");
  expect(shown()).toBe("/add-dir ../lib/|");
  expect(asked.at(-1)).toBe("../l");
});

test("a name that was typed is shown once the file is known, and Backspace removes its letters", async () => {
  const { editor, press, shown } = openEditor({ completePath: async () => ["a.ts", "src/"] });
  press("@a.ts");
  await expect.poll(() => editor.render(30).slice(0, 3).at(-1)).toMatch(/^── attaches a\.ts ─+$/);
  press(keys.backspace);
  expect(shown()).toBe("@a.t|");
});

test("with vim's keys, letters are commands after Esc, and the next message begins with inserting", () => {
  const { editor, press, sent, shown } = openEditor({}, "vim");
  editor.remember("earlier");
  press("one two", keys.newLine, "three");
  expect([editor.mode(), editor.takesEscape()]).toEqual(["insert", true]);
  press(keys.esc, "k0wcw");
  expect([editor.mode(), shown()]).toEqual(["insert", "one |\nthree"]);
  press("2", keys.esc, "jdd");
  expect([editor.mode(), shown(), editor.takesEscape()]).toEqual(["normal", "|one 2", false]);
  press("d");
  expect(editor.takesEscape()).toBe(true);
  press(keys.esc, "k");
  expect(shown()).toBe("earlier|");
  press("j", keys.enter);
  expect([sent, editor.mode(), shown()]).toEqual([["one 2"], "insert", "|"]);
});
