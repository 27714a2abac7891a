/** Checks keys that are typed before the screen is up: the terminal holds them until the program reads. */
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { serveModel } from "../serve-model.ts";
import { openTerminal } from "./open-terminal.ts";

const server = await serveModel();

describe.skipIf(!hasScript())("keys before the screen is up (needs util-linux script)", () => {
  test("a line with Enter is sent", async () => {
    server.use({ turns: [{ text: "Fine." }] });
    const terminal = await openTerminal({ server, atOnce: true });
    terminal.type("hello there\r");
    await terminal.waitFor("Fine.");
    expect(JSON.stringify(server.chats.at(-1)?.body)).toContain('"hello there"');
    terminal.close();
  });

  test("a line without Enter is in the editor, and Enter after it sends", async () => {
    server.use({ turns: [{ text: "Fine." }] });
    const terminal = await openTerminal({ server, atOnce: true });
    terminal.type("hello ");
    await terminal.waitFor(/─{10}\nhello/);
    terminal.type("there\r");
    await terminal.waitFor("Fine.");
    expect(JSON.stringify(server.chats.at(-1)?.body)).toContain('"hello there"');
    terminal.close();
  });

  test("several lines, which may be a paste, are kept in the editor and not sent", async () => {
    const terminal = await openTerminal({ server, atOnce: true });
    const sent = server.chats.length;
    terminal.type("first\r!touch made\rthird\r");
    const screen = await terminal.waitFor(/─{10}\nfirst *\n!touch made *\nthird/);
    expect(screen).not.toContain("exit");
    expect(server.chats.length).toBe(sent);
    terminal.close();
  });
});
