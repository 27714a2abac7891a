/** Checks how a word after a slash leads to a command, and what is said of one that leads to none. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandTable, type ScreenKind } from "../src/command-table.ts";
import { commandLines, commandNamed, commandsOn, unknownCommand } from "../src/find-command.ts";

test("every name and alias is unique, and every command says what it does", () => {
  const names = commandTable.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  expect([...new Set(names)]).toEqual(names);
  for (const { name, about } of commandTable) expect([name, about.length > 5]).toEqual([name, true]);
});

const kinds: readonly ScreenKind[] = ["terminal", "lines", "browser"];
const documented = readFileSync(join(import.meta.dirname, "../../../docs/terminal.md"), "utf8");

test.each(commandTable)("/$name", ({ name, aliases = [], screens = kinds }) => {
  expect(documented).toMatch(new RegExp(`^\\| (?:.*, )?\`/${name}\\b`, "m"));
  for (const kind of kinds) {
    const has = screens.includes(kind);
    for (const word of [name, ...aliases]) {
      expect(commandNamed(kind, word)).toBe(has ? name : undefined);
      if (!has) expect(unknownCommand(kind, word, [])).toContain(`/${word} needs `);
    }
  }
});

test("every screen lists its commands in the order of the table", () => {
  const order = commandTable.map(({ name }) => name);
  for (const kind of kinds) {
    const listed: string[] = commandsOn(kind).map(({ name }) => name);
    expect(listed).toEqual(order.filter((name) => listed.includes(name)));
  }
});

test.each([
  ["modle", "model"],
  ["hlep", "help"],
  ["toggle", "toggle-toolcall-json"],
  ["permisions", "permissions"],
  ["deplo", "deploy"],
  ["ex", undefined],
  ["xyzzy", undefined],
])("/%s means %s", (word, meant) => {
  const hint = meant === undefined ? "" : ` Did you mean /${meant}?`;
  const said = `unknown command /${word}.${hint} /help lists the commands.`;
  expect(unknownCommand("terminal", word, ["deploy"])).toBe(said);
});

test("a command that a screen does not have names the screens that have it", () => {
  expect(unknownCommand("lines", "copy", [])).toBe("/copy needs the full screen or the browser");
  expect(unknownCommand("browser", "exit", [])).toBe("/exit needs the full screen or the chat line by line");
  expect(unknownCommand("lines", "cop", [])).not.toContain("copy");
});

test("help lists custom commands below the others", () => {
  expect(commandLines("lines", []).at(0)).toBe(`${"/help /?".padEnd(23)}  this list`);
  expect(commandLines("lines", [{ name: "mine", about: "my own" }]).slice(-3)).toEqual([
    "",
    "Custom commands:",
    `${"/mine".padEnd(23)}  my own`,
  ]);
});
