/** Checks that the line chat runs the commands of the table that it has, and lists them. */
import { commandsOn } from "@localharness/protocol/command-texts";
import { expect, test } from "vitest";
import type { Chat } from "../../src/modes/chat.ts";
import { chatCommands, runChatCommand } from "../../src/modes/chat-commands.ts";

const commands = commandsOn("lines");

/** Returns what the chat prints for a line. */
async function printed(line: string): Promise<string> {
  let text = "";
  const output = { endLine: () => undefined, write: (more: string) => (text += more) };
  const own = { list: async () => ({ commands: [], warnings: [] }), expandLine: async () => line };
  await runChatCommand({ output, commands: own } as unknown as Chat, line);
  return text;
}

test("the line chat runs each command of the table that it has, and no other", () => {
  const names: string[] = commands.map(({ name }) => name);
  expect(Object.keys(chatCommands).toSorted()).toEqual(names.toSorted());
});

test("/help lists them in the order of the table, with their other names", async () => {
  const rows = (await printed("/help")).matchAll(/^((?:\/\S+ )+) /gm);
  const listed = [...rows].map(([, names = ""]) => names.trim());
  expect(listed).toEqual(
    commands.map(({ name, aliases = [] }) => [name, ...aliases].map((one) => `/${one}`).join(" ")),
  );
});

test.each([
  ["/theme dark", "/theme needs the full screen or the browser\n"],
  ["/hlep", "unknown command /hlep. Did you mean /help? /help lists the commands.\n"],
])("%s", async (line, said) => {
  expect(await printed(line)).toBe(said);
});
