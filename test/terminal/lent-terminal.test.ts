/** Checks a person's command that needs the terminal: it gets the keys and the window, and the screen comes back. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace, type Place } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { openTerminal } from "./open-terminal.ts";

const server = await serveModel();

/** Asks for a terminal, fills the window, reads one key without Enter, and ends with its code. */
const fullScreenProgram = `#!${process.execPath}
if (!process.stdin.isTTY || !process.stdout.isTTY) {
  console.log("no terminal");
  process.exit(9);
}
process.stdout.write("\\u001b[?1049h\\u001b[2J\\u001b[HFULL SCREEN " + process.stdout.columns + " " + process.env.TERM);
process.stdin.setRawMode(true);
process.stdin.once("data", (key) => {
  process.stdout.write("\\u001b[?1049l");
  process.exit(key.toString() === "q" ? 3 : 4);
});
`;

function placeWith(name: string): Place {
  const place = makePlace({ [name]: fullScreenProgram });
  chmodSync(join(place.workspace, name), 0o755);
  return place;
}

describe.skipIf(!hasScript())("a command with the terminal (needs util-linux script)", () => {
  test.each([
    ["known by its name", "vim", "!./vim notes.md"],
    ["marked by two exclamation marks", "quiz", "!!./quiz"],
  ])("%s gets it, and the screen comes back", async (_what, name, line) => {
    server.use({ turns: [{ text: "Fine." }] });
    const terminal = await openTerminal({ server, place: placeWith(name), env: { TERM: "xterm-256color" } });
    terminal.type(`${line}\r`);
    await terminal.waitFor("FULL SCREEN 80 xterm-256color");
    terminal.press("q");
    await terminal.waitFor(`./${name}`);
    expect(await terminal.waitFor(/exit 3[\s\S]*─{10}/)).not.toContain("FULL SCREEN");
    terminal.type("hello\r");
    await terminal.waitFor("Fine.");
    expect(JSON.stringify(server.chats.at(-1)?.body)).toContain("in my terminal (exit 3)");
    terminal.press("ctrl+d");
    expect(await terminal.ended()).toBe(0);
    expect(terminal.settings().after).toBe(terminal.settings().before);
  });

  test("another command does not: its output is shown and sent", async () => {
    server.use({ turns: [{ text: "Fine." }] });
    const terminal = await openTerminal({ server, place: placeWith("quiz") });
    terminal.type("!./quiz\r");
    await terminal.waitFor("no terminal");
    terminal.close();
  });
});
