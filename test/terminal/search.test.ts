/** Checks the searches: of earlier messages with Ctrl+R, and of the transcript with `/`. */
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { enterKey, openTerminal } from "./open-terminal.ts";

const server = await serveModel();

describe.skipIf(!hasScript())("searching (needs util-linux script)", () => {
  test("Ctrl+R finds earlier messages, newest first; Enter takes one, Esc keeps the draft", async () => {
    server.use({ turns: [{ text: "One." }, { text: "Two." }, { text: "Three." }] });
    const terminal = await openTerminal({ server });
    for (const [message, answer] of [
      ["brew green tea", "One."],
      ["brew coffee", "Two."],
      ["clean up", "Three."],
    ] as const) {
      terminal.type(`${message}\r`);
      await terminal.waitFor(answer);
    }
    terminal.type("a draft");
    await terminal.waitFor("a draft");
    terminal.press("ctrl+r");
    await terminal.waitFor("▸ clean up");
    terminal.type("brew");
    await terminal.waitFor(/▸ brew coffee\n {2}brew green tea/);
    terminal.press("esc");
    await terminal.waitFor(/─{10}\na draft *\n─{10}/);
    terminal.press("ctrl+r");
    await terminal.waitFor("▸ clean up");
    terminal.type("brew");
    await terminal.waitFor("▸ brew coffee");
    terminal.press("ctrl+r");
    await terminal.waitFor("▸ brew green tea");
    terminal.press("enter");
    await terminal.waitFor(/─{10}\nbrew green tea *\n─{10}/);
    terminal.press("ctrl+p");
    await terminal.waitFor(/─{10}\na draft *\n─{10}/);
    terminal.close();
  });

  test("/ in the transcript finds entries, also closed ones, marks and counts them; n and N go through them", async () => {
    const read = { name: "read_file", arguments: { path: "tea.txt" } };
    server.use({ turns: [{ calls: [read] }, { text: "It says oolong." }, { text: "Bye." }] });
    const place = makePlace({ "tea.txt": `${"leaf\n".repeat(60)}Oolong here\n` });
    const terminal = await openTerminal({ server, place, args: ["--answer", "once"] });
    terminal.type("what is in it?\r");
    await terminal.waitFor("It says oolong.");
    terminal.type("bye\r");
    await terminal.waitFor("Bye.");
    terminal.press("ctrl+o");
    await terminal.waitFor("/ finds");
    terminal.press("home");
    terminal.type("/oolong");
    await terminal.waitFor("/oolong█ · 1 of 2 found");
    expect(terminal.screen()).toContain("61: Oolong here");
    const rows = terminal.screen().split("\n");
    const row = rows.findIndex((line) => line.includes("Oolong here"));
    const styleOf = (text: string) => {
      const cell = terminal.emulator.buffer.active.getLine(row)?.getCell(rows[row]?.indexOf(text) ?? 0);
      return [cell?.isInverse(), cell?.isBold(), cell?.getBgColor(), cell?.getFgColor()];
    };
    expect(styleOf("Oolong")).not.toEqual(styleOf("here"));
    terminal.type(`${enterKey}n`);
    await terminal.waitFor("2 of 2 found");
    expect(terminal.screen()).toContain("It says oolong.");
    terminal.press("n");
    await terminal.waitFor("1 of 2 found");
    terminal.press("N");
    await terminal.waitFor("2 of 2 found");
    terminal.type("/nowhere");
    await terminal.waitFor("nothing found");
    terminal.press("enter", "esc");
    await terminal.until("the chat", () => !terminal.screen().includes("Esc back"));
    terminal.close();
  });
});
