/** The mode on the screen is the one that holds: from the start, before the first message, and over sessions. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { openTerminal } from "./open-terminal.ts";

const server = await serveModel();

describe.skipIf(!hasScript())("the mode on the screen (needs util-linux script)", () => {
  test("is shown before anything is said, is reached by Shift+Tab, and holds in the next session of the run", async () => {
    const place = makePlace();
    const call = { name: "write_file", arguments: { path: "a.txt", content: "x" } };
    server.use({ turns: [{ calls: [call] }, { text: "First." }] });
    const terminal = await openTerminal({ server, place, args: ["--mode", "bypass"] });
    await terminal.waitFor(/fake-model · bypass/);
    for (const mode of ["default", "accept-edits", "plan"]) {
      terminal.press("shift+tab");
      await terminal.waitFor(`mode ${mode}`);
    }
    terminal.type("one\r");
    await terminal.waitFor("First.");
    expect(await terminal.settled()).toMatch(/fake-model · plan/);
    terminal.type("/clear\r");
    await terminal.waitFor("a fresh conversation");
    expect(await terminal.settled()).toMatch(/fake-model · plan/);
    terminal.type("two\r");
    await terminal.until("end of the turn", () => terminal.screen().split("First.").length === 3);
    expect(existsSync(join(place.workspace, "a.txt"))).toBe(false);
    terminal.press("ctrl+d");
    await terminal.ended();
    terminal.close();
  });

  test("of a session that is taken up again is that of the new run, and that is said", async () => {
    const place = makePlace();
    server.use({ turns: [{ text: "First." }] });
    const terminal = await openTerminal({ server, place, args: ["--mode", "plan"] });
    terminal.type("one\r");
    await terminal.waitFor("First.");
    terminal.press("ctrl+d");
    await terminal.ended();
    terminal.close();
    const next = await openTerminal({ server, place, args: ["--continue"] });
    await next.waitFor("mode default holds; this was left in mode plan");
    await next.waitFor(/fake-model .* default/);
    next.close();
  });
});
