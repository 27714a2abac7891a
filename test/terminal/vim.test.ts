/** Checks vim's keys on the screen: the setting, the mode on the status line, Esc and Ctrl+R. */
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { configure, makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { openTerminal } from "./open-terminal.ts";

const server = await serveModel();

/** Returns the last message of the model's last request. */
function sent(): unknown {
  const body = server.chats.at(-1)?.body as { messages: { content: unknown }[] } | undefined;
  return body?.messages.at(-1)?.content;
}

describe.skipIf(!hasScript())("vim's keys (needs util-linux script)", () => {
  test("edit a message; the status line has the mode; Esc interrupts only from normal mode", async () => {
    const place = makePlace();
    configure(place, "config.json", JSON.stringify({ editor_keys: "vim" }));
    server.use({ turns: [{ text: "Read." }, { delayMs: 30_000, text: "Late." }] });
    const terminal = await openTerminal({ server, place });
    await terminal.waitFor("INSERT · fake-model");
    terminal.type("brew gren tea now");
    await terminal.waitFor("tea now");
    terminal.press("esc");
    await terminal.waitFor("NORMAL · fake-model");
    terminal.type("bbbcwgreen");
    await terminal.waitFor("brew green tea now");
    terminal.press("esc");
    await terminal.waitFor("NORMAL");
    terminal.type("wwD");
    await terminal.until("a shorter draft", () => !terminal.screen().includes("now"));
    terminal.press("u");
    await terminal.waitFor("brew green tea now");
    terminal.press("ctrl+r");
    await terminal.until("a shorter draft", () => !terminal.screen().includes("now"));
    terminal.press("enter");
    await terminal.waitFor("Read.");
    expect(sent()).toBe("brew green tea");
    terminal.type("wait\r");
    await terminal.waitFor("reading the prompt");
    terminal.press("esc");
    await terminal.waitFor("NORMAL");
    expect(terminal.screen()).toContain("reading the prompt");
    terminal.press("esc");
    await terminal.waitFor("interrupted");
    terminal.close();
  });
});
