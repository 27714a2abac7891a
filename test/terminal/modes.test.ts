/** Checks that the screen shows the mode in force: at the start, before the first message, and across sessions. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { openTerminal } from "./open-terminal.ts";

const server = await serveModel();

describe.skipIf(!hasScript())("the mode on the screen (needs util-linux script)", () => {
  test("is shown before the first message, is changed by Shift+Tab, and stays for the next session of the run", async () => {
    const place = makePlace();
    const call = { name: "write_file", arguments: { path: "a.txt", content: "x" } };
    server.use({ turns: [{ calls: [call] }, { text: "First." }] });
    const terminal = await openTerminal({ server, place, args: ["--mode", "bypass"] });
    await terminal.waitFor(/fake-model · bypass/);
    for (const mode of ["default", "accept-edits", "auto", "plan"]) {
      terminal.press("shift+tab");
      await terminal.waitFor(`mode ${mode}`);
    }
    terminal.type("one\r");
    await terminal.waitFor("First.");
    expect(await terminal.settled()).toMatch(/fake-model · plan/);
    terminal.type("/clear\r");
    await terminal.waitFor("started a new session");
    expect(await terminal.settled()).toMatch(/fake-model · plan/);
    terminal.type("two\r");
    await terminal.until("end of the turn", () => terminal.screen().split("First.").length === 3);
    expect(existsSync(join(place.workspace, "a.txt"))).toBe(false);
    terminal.press("ctrl+d");
    await terminal.ended();
    terminal.close();
  });

  test("of a continued session is that of the new run, and a notice says so", async () => {
    const place = makePlace();
    server.use({ turns: [{ text: "First." }] });
    const terminal = await openTerminal({ server, place, args: ["--mode", "plan"] });
    terminal.type("one\r");
    await terminal.waitFor("First.");
    terminal.press("ctrl+d");
    await terminal.ended();
    terminal.close();
    const next = await openTerminal({ server, place, args: ["--continue"] });
    await next.waitFor("the mode is default; this session was left in mode plan");
    await next.waitFor(/fake-model .* default/);
    next.close();
  });
});
