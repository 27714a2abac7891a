/** Checks that the list of completions says in each row what it is, or marks the cut, at every width. */
import { stripVTControlCharacters } from "node:util";
import { expect, test, vi } from "vitest";
import { type OpenedEditor, openEditor } from "./open-editor.ts";

const commands = [
  { name: "zip", about: "puts the imports of every file in order and says which ones it has moved" },
  { name: "z-translate-all-of-the-messages-of-the-program", about: "日本語の文字は二列の幅があります" },
  { name: "zi", about: "short" },
];
const paths = ["src/a-folder-with-a-long-name/and-another-one-in-it/a-file-with-a-long-name.ts", "src/a.ts"];

const cases = [
  {
    typed: "/z",
    rows: commands.map(({ name, about }) => new RegExp(`^/${name} +${about}$`)),
  },
  { typed: "@s", rows: paths.map((path) => new RegExp(`^${path}$`)) },
];

test.each(cases)("each row after $typed is whole or ends with an ellipsis", async ({ typed, rows }) => {
  const opened = openEditor({
    listCustomCommands: async () => commands,
    completePath: async () => paths,
  });
  opened.press(typed);
  await vi.waitUntil(() => opened.editor.isShowingAutocomplete());
  expect(rowsAt(opened, 200)).toHaveLength(rows.length);
  for (let width = 6; width <= 200; width += 1) {
    for (const row of rowsAt(opened, width)) {
      const says = rows.some((whole) => whole.test(row)) || row.endsWith("…");
      expect(says, `${width} columns: ${row}`).toBe(true);
    }
  }
});

test("a chosen completion names the whole path, although its row is cut", async () => {
  const opened = openEditor({ completePath: async () => paths });
  opened.press("@s");
  await vi.waitUntil(() => opened.editor.isShowingAutocomplete());
  rowsAt(opened, 20);
  opened.press("\t");
  expect(opened.shown()).toBe(`@${paths[0]} |`);
  expect(stripVTControlCharacters(opened.editor.render(120).at(-1) ?? "")).toContain(`attaches ${paths[0]}`);
});

function rowsAt({ editor }: OpenedEditor, width: number): readonly string[] {
  const lines = editor.render(width).map(stripVTControlCharacters);
  const border = lines.findLastIndex((line) => line.startsWith("─"));
  return lines.slice(border + 1).map((line) => line.replace(/^(→ | {2})/, "").trimEnd());
}
