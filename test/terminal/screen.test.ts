/** Checks the screen in a real terminal: streamed answers, widths and resizing, errors, and other terminals. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { type Emulated, isAttached, openTerminal } from "./open-terminal.ts";

const server = await serveModel();

const answer = [
  "# Tea",
  "Green tea, **80 degrees**, see [how](http://tea.example/a?b=c).",
  "```ts\nconst tea = 'green'; // hot\n\nreturn tea;\n```",
  "| leaf | 時間 |\n|---|---|\n| green | 2 min |\n| 紅茶 | 😀 4 min |",
  "1. first\n2. second\n   - nested",
  "> said so",
  "The end.",
].join("\n\n");

/** The answer as it is drawn on a screen of 60 columns or more. */
const drawn = `Tea

Green tea, 80 degrees, see how (http://tea.example/a?b=c).

  ╶─ ts
  const tea = 'green'; // hot

  return tea;

┌───────┬──────────┐
│ leaf  │ 時間     │
├───────┼──────────┤
│ green │ 2 min    │
├───────┼──────────┤
│ 紅茶  │ 😀 4 min │
└───────┴──────────┘

1. first
2. second
    - nested

│ said so

The end.`;

/** Returns how many lines the terminal itself had to wrap. */
function broken(terminal: Emulated): number {
  const { active } = terminal.emulator.buffer;
  let count = 0;
  for (let row = 0; row < active.length; row += 1) if (active.getLine(row)?.isWrapped === true) count += 1;
  return count;
}

describe.skipIf(!hasScript())("the screen (needs util-linux script)", () => {
  test.each([1, 7, 4_000])("an answer in pieces of %i characters is drawn once", async (deltaChars) => {
    server.use({ turns: [{ text: answer, deltaChars }] });
    const terminal = await openTerminal({ server, rows: 16 });
    terminal.type("How do I brew tea?\r");
    await terminal.waitFor("The end.");
    await terminal.settled();
    expect(terminal.everything()).toContain(`› How do I brew tea?\n\n${drawn}\n`);
    expect(terminal.everything().match(/said so/g)).toHaveLength(1);
    // The scrollback is never cleared.
    expect(terminal.bytes()).not.toContain("\u001b[3J");
    terminal.press("ctrl+d");
    expect(await terminal.ended()).toBe(0);
    expect(terminal.settings().after).toBe(terminal.settings().before);
    terminal.close();
  });

  test("thoughts and calls are folded; Ctrl+O opens them on the whole screen and goes back", async () => {
    const reasoning = "A thought about leaves. ".repeat(20);
    const turns = [{ reasoning, calls: [{ name: "ls", arguments: { path: "." } }] }, { text: "Looked." }];
    server.use({ turns });
    const terminal = await openTerminal({ server });
    terminal.type("go\r");
    const before = await terminal.waitFor("Looked.");
    expect(before).toMatch(/∴ thought for .*Ctrl\+O opens/);
    expect(before).toMatch(/✓ ls \. .*· \d+ ms/);
    expect(before).not.toContain("about leaves");
    terminal.press("ctrl+o");
    expect(await terminal.waitFor("Esc back")).toContain('"path": "."');
    terminal.press("up", "enter");
    await terminal.waitFor("about leaves");
    for (const key of ["esc", "ctrl+c"]) {
      terminal.press(key);
      await terminal.until("way back", () => !terminal.screen().includes("Esc back"));
      expect(await terminal.settled()).toContain("Looked.");
      terminal.press("ctrl+o");
      await terminal.waitFor("Esc back");
    }
    terminal.close();
  });

  test("a resize during an answer loses none of it", async () => {
    const text = Array.from({ length: 60 }, (_, index) => `Line ${index} of a long answer.`).join("\n\n");
    server.use({ turns: [{ text, deltaChars: 9, everyMs: 4 }] });
    const terminal = await openTerminal({ server });
    terminal.type("go\r");
    await terminal.waitFor("Line 8 ");
    await terminal.resize(40, 12);
    await terminal.waitFor("Line 20 ");
    await terminal.resize(100, 30);
    await terminal.waitFor("Line 59 of a long answer.");
    const screen = await terminal.settled();
    for (let line = 51; line < 60; line += 1) expect(screen).toContain(`\nLine ${line} of a long answer.\n`);
    expect(screen.match(/─{100}/g)).toHaveLength(2);
    expect(screen.match(/fake-model ·/g)).toHaveLength(1);
    terminal.close();
  });

  test("text that came while a full-screen dialog was open is not lost after a resize", async () => {
    const text = Array.from({ length: 120 }, (_, index) => `Line ${index} of it.`).join("\n\n");
    server.use({ turns: [{ text: "First." }, { text, delayMs: 800, deltaChars: 400 }] });
    const terminal = await openTerminal({ server });
    terminal.type("zero\r");
    await terminal.waitFor("First.");
    terminal.type("go\r");
    await terminal.waitFor("reading the prompt");
    terminal.press("ctrl+o");
    await terminal.waitFor("of 4 ");
    await terminal.resize(90, 20);
    await terminal.waitFor(/─{90}/);
    terminal.press("esc");
    await terminal.waitFor("Line 119 of it.");
    await terminal.settled();
    const all = terminal.everything();
    for (let line = 0; line < 120; line += 1) expect(all).toContain(`Line ${line} of it.`);
    expect(all).toContain("First.");
    terminal.close();
  });

  test("an answer that cannot be parsed as Markdown is shown, and its session can be continued", async () => {
    const place = makePlace();
    server.use({ turns: [{ text: `${">".repeat(4_000)} end` }, { text: "Two." }] });
    const first = await openTerminal({ server, place });
    first.type("go\r");
    await first.waitFor("\nend\n");
    first.press("ctrl+d");
    expect(await first.ended()).toBe(0);
    first.close();
    const again = await openTerminal({ server, place, args: ["--continue"] });
    await again.waitFor("\nend\n");
    // Notices of the screen are drawn before any turn.
    again.type("/nonsense\r");
    await again.waitFor("unknown command /nonsense");
    again.type("!echo out$((40 + 2))put\r");
    await again.waitFor("out42put\n");
    again.close();
  });

  test("an uncaught error is printed below the screen", async () => {
    const place = makePlace();
    const crash = join(place.home, "crash.cjs");
    writeFileSync(crash, 'process.on("SIGUSR2", () => { throw new Error("a defect"); });\n');
    server.use({ turns: [{ text: Array.from({ length: 30 }, (_, line) => `Line ${line}`).join("\n\n") }] });
    const terminal = await openTerminal({ server, place, env: { NODE_OPTIONS: `--require ${crash}` } });
    terminal.type("go\r");
    await terminal.waitFor("Line 29");
    const before = await terminal.settled();
    process.kill(terminal.pid(), "SIGUSR2");
    expect(await terminal.ended()).toBe(1);
    await terminal.settled();
    expect(terminal.everything()).toMatch(/ · default\n[\s\S]*Error: a defect/);
    expect(terminal.everything()).toContain(before);
    terminal.close();
  });

  test("40 columns: nothing is wider than the screen, also wide characters and long words", async () => {
    const wide = `${"漢字かな交じり文".repeat(12)} ${"😀👩‍👩‍👧‍👦🇩🇪".repeat(12)} ${"x".repeat(200)} e${"\u0301".repeat(300)}`;
    const write = {
      name: "write_file",
      arguments: { path: `${"長い名前".repeat(15)}.txt`, content: `${wide}\n` },
    };
    server.use({ turns: [{ text: `${wide}\n\n\`\`\`\n${wide}\n\`\`\``, calls: [write] }, { text: "Fin." }] });
    const terminal = await openTerminal({ server, cols: 40, rows: 20 });
    terminal.type(`${"ä漢😀".repeat(40)}\r`);
    await terminal.waitFor("[1] Allow Once");
    terminal.press("2");
    // The question is longer than the screen.
    await terminal.waitFor("2 again allows");
    terminal.press("2");
    await terminal.waitFor("Fin.");
    await terminal.settled();
    expect(broken(terminal)).toBe(0);
    expect(terminal.everything()).toContain("漢字かな交じり文漢字");
    terminal.close();
  });

  test("the status line shows the Git branch that is checked out now", async () => {
    const place = makePlace({ ".git/HEAD": "ref: refs/heads/one\n" });
    const terminal = await openTerminal({ server, place });
    await terminal.waitFor("· one ·");
    terminal.type("!echo 'ref: refs/heads/two' > .git/HEAD\r");
    await terminal.waitFor("· two ·");
    writeFileSync(join(place.workspace, ".git/HEAD"), "ref: refs/heads/three\n");
    server.use({ turns: [{ text: "Done." }] });
    terminal.type("go\r");
    await terminal.waitFor("· three ·");
    terminal.close();
  });

  test("a screen of 6 lines still shows the answer and the editor", async () => {
    server.use({ turns: [{ text: answer }] });
    const terminal = await openTerminal({ server, rows: 6 });
    terminal.type("go\r");
    await terminal.waitFor("The end.");
    await terminal.settled();
    expect(terminal.everything()).toContain(drawn);
    terminal.close();
  });

  // Needs an option or a message that only the screen of this process takes.
  test.skipIf(isAttached)("TERM=dumb and --interactive get the chat in lines", async () => {
    for (const options of [{ env: { TERM: "dumb" } }, { args: ["-i"] }]) {
      server.use({ turns: [{ text: "In lines." }] });
      const terminal = await openTerminal({ server, ...options, atOnce: true });
      await terminal.waitFor("/help lists commands");
      terminal.type("go\r");
      await terminal.waitFor("In lines.");
      expect(terminal.bytes()).not.toContain("\u001b[?2004h");
      terminal.press("ctrl+d");
      expect(await terminal.ended()).toBe(0);
      terminal.close();
    }
  });
});
