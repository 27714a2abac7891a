/** Checks that the screen runs the commands of the table that it has, lists them, and what `/permissions` does. */
import { commandsOn } from "@localharness/protocol/command-texts";
import { expect, test } from "vitest";
import type { App, Dialog } from "../../src/app.ts";
import { plainChangeLines } from "../../src/commands/changes.ts";
import { slashCommands } from "../../src/commands/slash-commands.ts";
import { runSlashCommand } from "../../src/run-slash-command.ts";
import { createTheme } from "../../src/theme/theme.ts";

test.each<readonly [string, readonly (readonly string[])[]]>([
  [
    "auto",
    [
      [
        "auto is a mode: /mode auto changes to it. /permissions shows rules and remembered answers",
        "warning",
      ],
    ],
  ],
  ["", []],
  ["automatic", []],
])("/permissions %s", async (words, said) => {
  const told: string[][] = [];
  let opened = 0;
  const app = { host: {}, say: (...text: string[]) => told.push(text), open: () => (opened += 1) };
  await runSlashCommand(app as unknown as App, `/permissions ${words}`);
  expect([told, opened]).toEqual([said, said.length === 0 ? 1 : 0]);
});

/** Returns the lines of `/help` at a width. */
async function helpLines(width: number): Promise<readonly string[]> {
  let dialog: Dialog | undefined;
  const theme = createTheme("none", {});
  const look = { name: "look", about: "one two three four five six seven eight nine ten eleven twelve" };
  const app = {
    host: { listCustomCommands: async () => [look] },
    open(opened: Dialog) {
      dialog = opened;
    },
    theme: () => theme,
    rows: () => 200,
  } as unknown as App;
  await runSlashCommand(app, "/?");
  return dialog?.(app, () => undefined).render(width) ?? [];
}

test("the screen runs each command of the table that it has, and no other", () => {
  const names: string[] = commandsOn("terminal").map(({ name }) => name);
  expect(Object.keys(slashCommands).toSorted()).toEqual(names.toSorted());
});

test("/help lists them in the order of the table, with their other names", async () => {
  const rows = (await helpLines(200)).join("\n").matchAll(/^((?:\/\S+ )+) /gm);
  const names = commandsOn("terminal").map(({ name, aliases = [] }) => [name, ...aliases]);
  expect([...rows].map(([, listed = ""]) => listed.trim())).toEqual(
    [...names, ["look"]].map((one) => one.map((name) => `/${name}`).join(" ")),
  );
});

test("/help continues a long description below itself", async () => {
  const lines = await helpLines(60);
  const at = lines.findIndex((line) => line.startsWith("/look "));
  expect(lines.slice(at, at + 2)).toEqual([
    expect.stringMatching(/^\/look {20}one two/),
    expect.stringMatching(/^ {25}\S+.*twelve/),
  ]);
});

test("/diff of the line chat has the counts, the notes and the diffs, without styles", () => {
  const diff = "@@ -1,1 +1,1 @@\n-one\n+two\n";
  const file = { path: "a.txt", kind: "changed", added: 1, removed: 1, diff } as const;
  expect(plainChangeLines({ files: [file], notes: ["undone: b.txt"] }, 80)).toEqual([
    "1 path +1 -1",
    "  changed a.txt +1 -1",
    "  undone: b.txt",
    "  changes of commands are not counted",
    "",
    expect.stringContaining("@@"),
    expect.stringMatching(/-.*one/),
    expect.stringMatching(/\+.*two/),
  ]);
  expect(plainChangeLines({ files: [], notes: [] }, 80)).toEqual([
    "no tool has changed files in this session",
  ]);
});
