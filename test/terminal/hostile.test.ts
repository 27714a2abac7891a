/** Checks that text from models, tools, files and names never reaches the terminal through the screen as a control sequence. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ScriptedTurn } from "../../packages/models/test/fake-server/index.ts";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace, type Place } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { forbidden, leftIn } from "./left-in.ts";
import { openTerminal } from "./open-terminal.ts";

const server = await serveModel();

/** Sequences for title, clipboard, link, clear screen, cursor, terminal queries, C1 controls, bidi, tags, blinking. */
const hostile =
  "A\u001b]0;TITLE\u0007B\u001b]52;c;ZXZpbA==\u0007C\u001b]8;;http://evil\u001b\\D\u001b[2J\u001b[1;1HF\u001b[6n" +
  "G\u009b2JH\u009d0;T\u009cI\u202eJ\u2066K\u{e0041}L\b\b\bM\u001bcN\u001b[?1049hO\u001b[5mP\u001b(0R\u0000S\u007fT\u001bPq\u001b\\U\u001b_x\u001b\\V";

const fileName = "n\u001b]0;T\u0007\u001b[2J\u202e\u009b31m\rx\ny\bz.txt";

function hostilePlace(): Place {
  const place = makePlace({ "hostile.txt": `${hostile}\n${"\u0007".repeat(100_000)}\n${hostile}\rover\n` });
  writeFileSync(join(place.workspace, fileName), hostile);
  mkdirSync(join(place.workspace, "d\u001b[31m"));
  return place;
}

const call = (name: string, args: Record<string, string | number>): ScriptedTurn => ({
  calls: [{ name, arguments: args }],
});

const turns: [string, ScriptedTurn][] = [
  [
    "answers, whole and in single characters, in text, code, tables and links",
    {
      text: `${hostile}\n\n# ${hostile}\n\n\`\`\`ts\n${hostile}\n\`\`\`\n\n|${hostile}|b|\n|---|---|\n|${hostile}|c|\n\n[x](http://a/${hostile}) \`${hostile}\``,
      deltaChars: 1,
    },
  ],
  ["thoughts", { reasoning: hostile, text: "x" }],
  ["a tool that does not exist", call(hostile, { [hostile]: hostile })],
  ["the output of a command", call("bash", { command: "cat hostile.txt; cat hostile.txt >&2; exit 3" })],
  ["lines of a running command", call("bash", { command: "cat hostile.txt; sleep 0.7; cat hostile.txt" })],
  ["a file that is read", call("read_file", { path: "hostile.txt" })],
  ["a file name", call("read_file", { path: fileName })],
  ["an edit", call("replace_lines", { path: "hostile.txt", start_line: 1, end_line: 1, content: hostile })],
  ["a task", call("add_task", { content: hostile })],
  [
    "an error of the server",
    { faults: [{ kind: "status", status: 400, body: { error: { message: hostile } } }] },
  ],
  [
    "a reason to retry",
    { text: "a", faults: [{ kind: "status", status: 503, body: { error: { message: hostile } } }] },
  ],
];

describe.skipIf(!hasScript())("nothing hostile reaches the screen (needs util-linux script)", () => {
  test("the test finds each hostile sequence", () => {
    for (const character of [...hostile].filter((one) => forbidden.test(one)))
      expect(leftIn(`x${character}y`)).toContain("x");
    expect(leftIn("\u001b[5m")).toBe("a blink");
    expect(leftIn("\u001b[1mx\u001b[0m\r\n\u001b[2K")).toBeUndefined();
  });

  test("from any source", async () => {
    const terminal = await openTerminal({ server, place: hostilePlace() });
    terminal.paste(hostile);
    await terminal.waitFor("TITLE");
    terminal.press("ctrl+c");
    for (const [what, turn] of turns) {
      server.use({ turns: [turn, { text: "And done." }] });
      const cleared = () => terminal.everything().split("started a new session").length;
      const before = cleared();
      terminal.type("/clear\r");
      await terminal.until("clearing", () => cleared() > before);
      terminal.type(`go \u202e${what}\r`);
      const asks = () => terminal.screen().includes("[1] Allow Once");
      const over = () => server.chats.length > 0 && !/ \d+\/\d+ /.test(terminal.screen());
      await terminal.until(`beginning of ${what}`, () => server.chats.length > 0);
      await terminal.settled();
      await terminal.until(`question or end of ${what}`, () => asks() || over());
      if (asks()) {
        terminal.press("1");
        await terminal.until(`end of ${what}`, () => !asks() && over());
      }
      terminal.press("ctrl+o");
      await terminal.waitFor("Esc back");
      terminal.press("a", "home", "pagedown");
      await terminal.settled();
      terminal.press("esc");
      await terminal.until("way back", () => !terminal.screen().includes("Esc back"));
      // On a busy machine the first check may have run before the turn was drawn.
      await terminal.until(`rest after ${what}`, over);
      expect(leftIn(terminal.bytes()), what).toBeUndefined();
    }
    expect(terminal.everything()).toContain("And done.");
    terminal.close();
  });
});
