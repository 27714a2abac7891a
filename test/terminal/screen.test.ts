/** The screen in a real terminal: what streams in, what is typed, and how it is left. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FakeServer, startFakeServer } from "../../packages/models/test/fake-server/index.ts";
import { hasScript } from "../run-in-terminal.ts";
import { openTerminal } from "./open-terminal.ts";

let server: FakeServer;
beforeAll(async () => {
  server = await startFakeServer({ turns: [] });
});
afterAll(() => server.close());

describe.skipIf(!hasScript())("the screen (needs util-linux script)", () => {
  test("an answer streams in, Ctrl+D leaves, the terminal is as it was", async () => {
    server.use({ turns: [{ text: "# Tea\n\nGreen tea, **80 degrees**.\n\n- two minutes\n- no milk\n" }] });
    const terminal = await openTerminal({ server });
    terminal.type("How do I brew tea?");
    terminal.press("enter");
    const screen = await terminal.waitFor("no milk");
    expect(screen).toContain("› How do I brew tea?");
    terminal.press("ctrl+d");
    expect(await terminal.ended()).toBe(0);
    const { before, after } = terminal.settings();
    expect(after).toBe(before);
    terminal.close();
  });

  test("a permission prompt is answered by number, the call is shown with its result", async () => {
    const write = { name: "write_file", arguments: { path: "tea.txt", content: "green\n" } };
    server.use({ turns: [{ calls: [write] }, { text: "Done." }] });
    const terminal = await openTerminal({ server });
    terminal.type("go\r");
    const screen = await terminal.waitFor("[1] Allow Once");
    expect(screen).toContain("+green");
    terminal.press("1");
    expect(await terminal.waitFor("Done.")).toMatch(/✓ write_file tea\.txt/);
    terminal.type("/quit\r");
    expect(await terminal.ended()).toBe(0);
    terminal.close();
  });
});
