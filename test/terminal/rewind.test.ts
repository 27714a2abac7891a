/** Esc Esc goes back to before a message: files and conversation, conversation, or files, also what a command changed. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace, type Place } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { type Emulated, openTerminal } from "./open-terminal.ts";

const server = await serveModel();

/** Has a session in which the second turn changes files with a command, and calls `run` with Esc Esc pressed after it. */
async function afterTwoTurns(run: (terminal: Emulated, place: Place) => Promise<void>): Promise<void> {
  server.use({
    turns: [
      { text: "The first answer." },
      { calls: [{ name: "bash", arguments: { command: "echo two > a.txt; echo new > b.txt" } }] },
      { text: "The second answer." },
      { text: "The third answer." },
    ],
  });
  const place = makePlace({ "a.txt": "one\n" });
  const terminal = await openTerminal({ server, place, rows: 40, args: ["--mode", "bypass"] });
  try {
    terminal.type("first\r");
    await terminal.waitFor("The first answer.");
    terminal.type("second\r");
    await terminal.waitFor("The second answer.");
    expect(readFileSync(join(place.workspace, "a.txt"), "utf8")).toBe("two\n");
    terminal.press("esc");
    await terminal.waitFor("Esc again goes back");
    terminal.press("esc");
    await terminal.waitFor(/› second[\s\S]*Enter goes back/);
    terminal.press("enter");
    await terminal.waitFor(/Files and conversation[\s\S]*undoes 2 paths: a\.txt, b\.txt/);
    await run(terminal, place);
  } finally {
    terminal.close();
  }
}

const inEditor = (terminal: Emulated) => () => /─\nsecond/.test(terminal.screen());

describe.skipIf(!hasScript())("rewind (needs util-linux script)", () => {
  test("files and conversation", async () => {
    await afterTwoTurns(async (terminal, { workspace }) => {
      terminal.press("enter");
      await terminal.until("message in the editor", inEditor(terminal));
      expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("one\n");
      expect(existsSync(join(workspace, "b.txt"))).toBe(false);
      const before = server.chats.length;
      terminal.press("enter");
      await terminal.until("another request", () => server.chats.length > before);
      const sent = JSON.stringify(server.chats[before]?.body);
      expect(sent).toContain("The first answer.");
      expect(sent).not.toContain("The second answer.");
    });
  });

  test("the conversation alone", async () => {
    await afterTwoTurns(async (terminal, { workspace }) => {
      terminal.press("down");
      terminal.press("enter");
      await terminal.until("message in the editor", inEditor(terminal));
      expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("two\n");
    });
  });

  test("the files alone, and the model is told", async () => {
    await afterTwoTurns(async (terminal, { workspace }) => {
      terminal.press("down");
      terminal.press("down");
      terminal.press("enter");
      await terminal.waitFor(/undone: "second", 2 paths/);
      expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("one\n");
      terminal.type("go on\r");
      await terminal.waitFor("The third answer.");
      const sent = JSON.stringify(server.chats.at(-1)?.body);
      expect(sent).toContain("The second answer.");
      expect(sent).toMatch(/The person undid .*a\.txt/);
    });
  });
});
