/** `/undo` and `/redo` in a real terminal, and commands that the person types. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { type Emulated, openTerminal, type TerminalOptions } from "./open-terminal.ts";

const server = await serveModel();

async function onScreen(options: TerminalOptions, run: (terminal: Emulated) => Promise<void>): Promise<void> {
  const terminal = await openTerminal(options);
  try {
    await run(terminal);
  } finally {
    terminal.close();
  }
}

describe.skipIf(!hasScript())("undo (needs util-linux script)", () => {
  test("/undo and /redo; !command needs no permission, is in the audit log, and is sent with the next message", async () => {
    const write = (path: string) => ({ name: "write_file", arguments: { path, content: "green\n" } });
    server.use({
      turns: [
        { calls: [write("tea.txt")] },
        { text: "Written." },
        { calls: [write("cup.txt")] },
        { text: "Another." },
        { text: "Seen." },
      ],
    });
    const place = makePlace({ "leaf.txt": "leaves" });
    const isThere = (name: string) => existsSync(join(place.workspace, name));
    await onScreen({ server, place, rows: 40, args: ["--answer", "once"] }, async (terminal) => {
      terminal.type("write it\r");
      await terminal.waitFor("Written.");
      terminal.type("write more\r");
      await terminal.waitFor("Another.");
      expect([isThere("tea.txt"), isThere("cup.txt")]).toEqual([true, true]);
      terminal.type("/undo all\r");
      await terminal.waitFor("/undo takes a number of turns");
      terminal.type("/undo 2\r");
      await terminal.waitFor(
        /"write it", 1 path\n +changed by +write_file tea\.txt\n +removes +tea\.txt \(\+1\)/,
      );
      await terminal.waitFor("Undo the 2 turns above?");
      expect([isThere("tea.txt"), isThere("cup.txt")]).toEqual([true, true]);
      terminal.press("enter");
      await terminal.until("undo", () => !isThere("tea.txt") && !isThere("cup.txt"));
      await terminal.waitFor(/removed +tea\.txt/);
      terminal.type("/redo 2\r");
      await terminal.waitFor("/redo takes no argument");
      terminal.type("/redo\r");
      await terminal.until("redo", () => isThere("tea.txt"));
      expect(isThere("cup.txt")).toBe(false);
      terminal.type("!echo mine >> leaf.txt; exit 4\r");
      await terminal.waitFor(/! echo mine >> leaf\.txt; exit 4 exit 4/);
      terminal.type("/undo\r");
      await terminal.waitFor(/your command, 1 path\n +changed by +!command `echo mine >> leaf\.txt; exit 4`/);
      await terminal.waitFor("Undo the changes above?");
      terminal.press("enter");
      await terminal.waitFor(/undone: your command, 1 path/);
      expect(readFileSync(join(place.workspace, "leaf.txt"), "utf8")).toBe("leaves");
      terminal.type("!cat leaf.txt; exit 3\r");
      await terminal.waitFor(/! cat leaf\.txt; exit 3 exit 3\n {2}leaves/);
      terminal.type("look\r");
      await terminal.waitFor(/› look\n {2}with the command above · Ctrl\+O opens\n[\s\S]*Seen\./);
      terminal.press("ctrl+d");
      await terminal.ended();
    });
    const sent = JSON.stringify(server.chats.at(-1)?.body?.["messages"]);
    expect(sent).toContain("leaves");
    const audit = join(place.home, ".local", "state", "localharness", "audit");
    const lines = readdirSync(audit).map((name) => readFileSync(join(audit, name), "utf8"));
    expect(lines.join("")).toMatch(
      /"tool":"!command","arguments":\{"command":"cat leaf\.txt; exit 3"\}.*"rule":"person"/,
    );
  });
});
