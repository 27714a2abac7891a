/** Checks the person's own editor: Ctrl+G opens the draft in it, and the screen comes back. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace, type Place } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { openTerminal } from "./open-terminal.ts";

const server = await serveModel();

/** Returns the last message of the model's last request. */
function sent(): unknown {
  const body = server.chats.at(-1)?.body as { messages: { content: unknown }[] } | undefined;
  return body?.messages.at(-1)?.content;
}

function placeWithEditor(script: string): { readonly place: Place; readonly editor: string } {
  const place = makePlace();
  const editor = join(place.home, "my editor.sh");
  writeFileSync(editor, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { place, editor: `'${editor}' -x` };
}

describe.skipIf(!hasScript())("the person's own editor (needs util-linux script)", () => {
  test("gets the draft in a private file and the terminal, and its text comes back", async () => {
    const { place, editor } = placeWithEditor(`
{ echo "$1"; cat "$2"; echo; stat -c %a "$2" "$(dirname "$2")"; echo "$2"; env; } > "$HOME/log"
printf 'from the editor: '; read -r line
printf '%s\nsecond line\n' "$line" > "$2"`);
    server.use({ turns: [{ text: "Read." }] });
    const env = { VISUAL: editor, EDITOR: "false", XAI_API_KEY: "xai-0123456789abcdef0123" };
    const terminal = await openTerminal({ server, place, env });
    terminal.type("a draft");
    await terminal.waitFor("a draft");
    terminal.press("ctrl+g");
    await terminal.waitFor("from the editor:");
    expect(terminal.screen()).not.toMatch(/─{10}/);
    terminal.type("typed there\n");
    await terminal.waitFor(/─{10}\ntyped there *\nsecond line *\n─{10}/);
    const [option, draft, mode, folderMode, path = "", ...environment] = readFileSync(
      join(place.home, "log"),
      "utf8",
    ).split("\n");
    expect([option, draft, mode, folderMode]).toEqual(["-x", "a draft", "600", "700"]);
    expect(existsSync(dirname(path))).toBe(false);
    expect(environment.join("\n")).not.toContain("xai-0123456789abcdef0123");
    terminal.type("!\r");
    await terminal.waitFor("Read.");
    expect(sent()).toBe("typed there\nsecond line!");
    terminal.press("ctrl+d");
    await terminal.ended();
    expect(terminal.settings().after).toBe(terminal.settings().before);
    terminal.close();
  });

  test("an exit code other than 0 keeps the draft, and Ctrl+C in the editor does not end the program", async () => {
    const { place, editor } = placeWithEditor(
      `trap 'echo stopped; exit 3' INT; echo lost > "$2"; echo ready; while :; do sleep 0.1; done`,
    );
    const terminal = await openTerminal({ server, place, env: { EDITOR: editor, VISUAL: "" } });
    terminal.type("a draft");
    await terminal.waitFor("a draft");
    terminal.press("ctrl+g");
    await terminal.waitFor("ready");
    terminal.press("ctrl+c");
    await terminal.waitFor("ended with exit code 3; the message");
    await terminal.waitFor(/─{10}\na draft *\n─{10}/);
    terminal.press("ctrl+c");
    await terminal.waitFor("Ctrl+C again leaves");
    terminal.close();
  });

  test("a turn goes on meanwhile, and its question is shown afterwards", async () => {
    const { place, editor } = placeWithEditor(`echo ready; read -r line; : > "$2"`);
    const write = { name: "write_file", arguments: { path: "a.txt", content: "x" } };
    server.use({ turns: [{ delayMs: 300, calls: [write] }, { text: "Written." }] });
    const terminal = await openTerminal({ server, place, env: { EDITOR: editor } });
    terminal.type("go\r");
    await terminal.waitFor("reading the prompt");
    terminal.press("ctrl+g");
    await terminal.waitFor("ready");
    await terminal.until("the request", () => server.chats.length > 0);
    terminal.type("x\r");
    await terminal.waitFor("[1] Allow Once");
    terminal.press("1");
    await terminal.waitFor("Written.");
    terminal.close();
  });

  test("no editor set says which one was used", async () => {
    const { place } = placeWithEditor("");
    const bin = join(place.home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "nano"), `#!/bin/sh\necho by nano > "$1"\n`, { mode: 0o755 });
    const env = { EDITOR: "", VISUAL: "", PATH: `${bin}:${process.env["PATH"]}` };
    const terminal = await openTerminal({ server, place, env });
    terminal.press("ctrl+g");
    await terminal.waitFor(/─{10}\nby nano *\n─{10}/);
    expect(terminal.everything()).toContain("VISUAL and EDITOR are not set: nano was used");
    terminal.close();
  });

  test.skipIf(!existsSync("/usr/bin/vi"))("vi edits a draft", async () => {
    server.use({ turns: [{ text: "Read." }] });
    const terminal = await openTerminal({ server, env: { EDITOR: "/usr/bin/vi", TERM: "xterm" } });
    terminal.type("hello wrld");
    await terminal.waitFor("hello wrld");
    terminal.press("ctrl+g");
    await terminal.waitFor("message.md");
    terminal.type("wcwworld\u001b");
    await terminal.waitFor(/hello world\n~/);
    terminal.type(":wq\r");
    await terminal.waitFor(/─{10}\nhello world *\n─{10}/);
    terminal.press("enter");
    await terminal.waitFor("Read.");
    expect(sent()).toBe("hello world");
    terminal.close();
  });

  test("the next start removes the draft of a killed program", async () => {
    const { place, editor } = placeWithEditor(`echo "at $2"; read -r line`);
    const terminal = await openTerminal({ server, place, env: { EDITOR: editor }, cols: 200 });
    terminal.press("ctrl+g");
    await terminal.waitFor(/at \//);
    const path = /at (\/\S+)/.exec(terminal.screen())?.[1] ?? "";
    expect(existsSync(path)).toBe(true);
    process.kill(terminal.pid(), "SIGKILL");
    await terminal.ended();
    terminal.close();
    expect(existsSync(path)).toBe(true);
    const next = await openTerminal({ server, place });
    expect(existsSync(path)).toBe(false);
    next.close();
  });
});
