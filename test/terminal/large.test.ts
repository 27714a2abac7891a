/** Checks very large outputs and answers: keys still respond, and the screen says what was left out. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { openTerminal } from "./open-terminal.ts";

const server = await serveModel();

describe.skipIf(!hasScript())("large outputs (needs util-linux script)", () => {
  test("a command that writes 100 MB still lets keys be typed", async () => {
    const command =
      "yes 'a line of an endless output' | head -c 100000000; until [ -e heard ]; do sleep 0.1; done; echo; echo the end";
    server.use({ turns: [{ calls: [{ name: "bash", arguments: { command } }] }, { text: "Read it all." }] });
    const terminal = await openTerminal({ server });
    terminal.type("go\r");
    await terminal.waitFor("[1] Allow Once");
    terminal.press("1");
    await terminal.waitFor(/running bash|Read it all/);
    terminal.type("typed ahead");
    await terminal.waitFor("typed ahead");
    writeFileSync(join(terminal.place.workspace, "heard"), "");
    await terminal.waitFor("Read it all.");
    const told = JSON.stringify(server.chats.at(-1)?.body?.["messages"]);
    expect(told).toContain("the end");
    expect(told.length).toBeLessThan(100_000);
    // Only part of the output is written to the terminal.
    expect(terminal.bytes().length).toBeLessThan(3_000_000);
    terminal.press("ctrl+c", "ctrl+d");
    terminal.close();
  });

  test("a change in a line of 6 MB is asked about, and keys respond", async () => {
    const place = makePlace({ "long.txt": `${"some text ".repeat(600_000)}the needle\n` });
    const args = { path: "long.txt", old_string: "the needle", new_string: "the thread" };
    server.use({ turns: [{ calls: [{ name: "edit_file", arguments: args }] }, { text: "Left it." }] });
    const terminal = await openTerminal({ server, place });
    terminal.type("go\r");
    await terminal.waitFor("[1] Allow Once");
    terminal.press("pagedown", "pageup");
    await terminal.settled();
    terminal.press("4", "enter");
    await terminal.waitFor("Left it.");
    expect(terminal.bytes().length).toBeLessThan(3_000_000);
    terminal.press("ctrl+c", "ctrl+d");
    terminal.close();
  });

  test("an answer of 20,000 lines goes to the scrollback", async () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `line ${index}`).join("\n\n");
    server.use({ turns: [{ text }] });
    const terminal = await openTerminal({ server });
    terminal.type("go\r");
    // The unfinished end of an answer is shown before the finished lines above it are written.
    await terminal.until("whole answer", () => terminal.everything().includes("line 19998\n\nline 19999\n"));
    const drawn = terminal.bytes().length;
    terminal.type("still here");
    await terminal.waitFor("still here");
    // A key press does not redraw the answer.
    expect(terminal.bytes().length - drawn).toBeLessThan(100_000);
    for (const index of [0, 9_999, 19_998]) expect(terminal.everything()).toContain(`line ${index}\n`);
    terminal.press("ctrl+c", "ctrl+d");
    terminal.close();
  });
});
