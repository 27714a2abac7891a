/** Checks that text in answers, files, names, results and errors never reaches the terminal as a control sequence. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ScriptedCall, ScriptedTurn } from "../packages/models/test/fake-server/index.ts";
import { hasScript, startScreen } from "./run-in-terminal.ts";
import { makePlace, type Place } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();

const wire = () => argumentsFor(server);

/** Sequences for title, clipboard, link, clear screen, cursor, terminal queries, C1 controls, bidi, tags, blinking. */
const hostile =
  "A\u001b]0;TITLE\u0007B\u001b]52;c;ZXZpbA==\u0007C\u001b]8;;http://evil\u001b\\D\u001b]8;;\u001b\\E\u001b[2J\u001b[1;1HF\u001b[6n" +
  "G\u009b2JH\u009d0;T\u009cI\u202eJ\u2066K\u{e0041}\u{e0042}L\b\b\bM\u001bcN\u001b[?1049hO\u001b[?25lP\u001b[31mQ\u001b(0R\u0000S\u007fT\u001bPq\u001b\\U\u001b_x\u001b\\V";

/**
 * Sequences that the program itself writes: colours, those of Node's line editor (move the cursor, erase below), and the removal of
 * the line that shows what the model does.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for escape sequences.
const ours = /\u001b\[(?:0|1|2|31|32|33)m|\u001b\[1G|\u001b\[0J|\u001b\[\d*[AG]|\r\u001b\[K/g;
const forbidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test expects none of them.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

/** Returns the first hostile sequence with the text around it; undefined when there is none. */
function leftIn(screen: string): string | undefined {
  // A terminal turns each line feed into CR LF; any other CR could hide a line.
  const text = screen.replaceAll(ours, "").replaceAll("\r\n", "\n").replaceAll("\r\n", "\n");
  const at = text.search(forbidden);
  const alone = text.replace(/\r+\n/g, "\n").indexOf("\r");
  if (at >= 0) return JSON.stringify(text.slice(Math.max(0, at - 40), at + 40));
  return alone >= 0 ? `a carriage return: ${JSON.stringify(text.slice(alone - 40, alone + 40))}` : undefined;
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: the prompt is bold.
const prompt = /begin it[\s\S]*\n[^\n]*\u001b\[1m> /;
const questionOrPrompt = /begin it[\s\S]*(?:\[4\] Deny[\s\S]*> |\n[^\n]*\u001b\[1m> )/;
const listed = /hostile\.txt[\s\S]*\u001b\[1m> /;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: the prompt is bold.

function call(name: string, args: ScriptedCall["arguments"]): ScriptedTurn {
  return { calls: [{ name, arguments: args }] };
}

const fileName = "n\u001b]0;T\u0007\u001b[2J\u202e\u009b31m\rx\ny\bz.txt";

function hostilePlace(): Place {
  const place = makePlace({ "hostile.txt": `${hostile}\n${"\u0007".repeat(100_000)}\n${hostile}\rover\n` });
  writeFileSync(join(place.workspace, fileName), hostile);
  mkdirSync(join(place.workspace, "d\u001b[31m"));
  return place;
}

const turns: [string, ScriptedTurn][] = [
  ["an answer", { text: `${hostile}\nand ${hostile}\rX` }],
  ["an answer in single characters", { text: hostile, deltaChars: 1 }],
  ["100,000 bells", { text: "\u0007".repeat(100_000), deltaChars: 5_000 }],
  ["a thought", { reasoning: hostile, text: "Done." }],
  ["a tool that does not exist", call(hostile, {})],
  ["names of arguments", call("ls", { [hostile]: hostile })],
  ["arguments", call("bash", { command: `true # ${hostile.replaceAll("\0", "")}` })],
  [
    "the output of a command",
    call("bash", { command: "cat hostile.txt; cat hostile.txt >&2; sleep 1.2; exit 3" }),
  ],
  [
    "the lines of a running command",
    call("bash", { command: "for n in 1 2 3; do cat hostile.txt; sleep 0.5; done" }),
  ],
  ["a file that is read", call("read_file", { path: "hostile.txt" })],
  ["a file name that is read", call("read_file", { path: fileName })],
  ["a file that is missing", call("read_file", { path: `no${fileName}` })],
  ["names that are listed", call("ls", { path: "." })],
  ["what a search finds", call("grep_search", { pattern: "TITLE" })],
  [
    "the preview of an edit",
    call("replace_lines", { path: "hostile.txt", start_line: 1, end_line: 1, content: hostile }),
  ],
  ["a file that is written", call("write_file", { path: fileName, content: hostile })],
  ["broken arguments", { calls: [{ name: "ls", arguments: {}, argumentsText: `{"a": ${hostile}` }] }],
  [
    "an error of the server",
    { faults: [{ kind: "status", status: 400, body: { error: { message: hostile } } }] },
  ],
  ["a web page for an answer", { faults: [{ kind: "html" }] }],
  [
    "an error in the stream",
    { text: "a b", faults: [{ kind: "error-line", afterEvents: 1, message: hostile }] },
  ],
  ["garbage in the stream", { text: "a b", faults: [{ kind: "garbage", afterEvents: 1, text: hostile }] }],
  [
    "a reason to retry",
    { text: "a", faults: [{ kind: "status", status: 503, body: { error: { message: hostile } } }] },
  ],
];

describe.skipIf(!hasScript())("nothing hostile reaches the terminal (needs util-linux script)", () => {
  test("the test finds each hostile sequence", () => {
    const characters = [...hostile].filter((character) => forbidden.test(character));
    expect(new Set(characters).size).toBeGreaterThan(10);
    for (const character of characters) expect(leftIn(`x${character}y\r\n`)).toContain("x");
    expect(leftIn("a\rb")).toContain("carriage return");
    expect(leftIn("\u001b[1mx\u001b[0m\r\n\u001b[2K")).toContain("[2K");
    expect(leftIn("\u001b[1mx\u001b[0m\r\n")).toBeUndefined();
  });

  test.each(turns)("from %s, in a chat that asks", async (_what, turn) => {
    server.use({ turns: [turn, { text: "And done." }] });
    const screen = await startScreen(["-i", ...wire()], { place: hostilePlace() });
    await screen.said(/Ctrl-C interrupts\.[\s\S]*> /);
    screen.type("begin it\r");
    const { length } = screen.text();
    const question = "[4] Deny";
    await screen.said(questionOrPrompt);
    if (screen.text().includes(question)) {
      screen.type("v\r");
      await screen.said(/\[4\] Deny[\s\S]*\[4\] Deny[^\n]*\r\n> /);
      screen.type("1\r");
    }
    await screen.said(prompt);
    expect(screen.text().length).toBeGreaterThan(length);
    screen.type("/files\r");
    await screen.said(listed);
    screen.type("/quit\r");
    await screen.said("code=0");
    expect(leftIn(screen.text())).toBeUndefined();
    screen.end();
  });

  test.each(turns)("from %s, in a turn with --print", async (_what, turn) => {
    server.use({ turns: [turn, { text: "And done." }] });
    const screen = await startScreen(["-p", "--answer", "once", ...wire(), "go"], { place: hostilePlace() });
    await screen.said(/code=\d/);
    expect(leftIn(screen.text())).toBeUndefined();
    screen.end();
  });

  const others: [string, string[]][] = [
    ["a message", ["-p", hostile.replaceAll("\0", "").replaceAll("'", "")]],
    ["an unknown option", [`--${hostile.replaceAll("\0", "")}`]],
    ["a model", ["-p", "--model", hostile.replaceAll("\0", ""), "--base-url", "http://127.0.0.1:9", "x"]],
    ["a workspace", ["-p", "--workspace", hostile.replaceAll("\0", ""), "x"]],
    ["a tool that is run", ["tool", "run", "ls", '{"path": "."}']],
  ];
  test.each(others)("from %s on the command line", async (_what, args) => {
    const screen = await startScreen(args, { place: hostilePlace() });
    await screen.said(/code=\d/);
    expect(leftIn(screen.text())).toBeUndefined();
    screen.end();
  });
});
