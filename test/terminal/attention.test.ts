/** Checks the terminal's title, the notifications and the reports of the focus in a real terminal. */
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { configure, makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { openTerminal } from "./open-terminal.ts";

const server = await serveModel();
const write = { name: "write_file", arguments: { path: "a.txt", content: "x\n" } };

/** Returns how often a text occurs. */
function count(text: string, wanted: string): number {
  return text.split(wanted).length - 1;
}

describe.skipIf(!hasScript())("the terminal's title and notifications (needs util-linux script)", () => {
  test("a question and the end of a turn are told while another window has the focus; all is restored", async () => {
    server.use({ turns: [{ text: "One." }, { calls: [write] }, { text: "Two." }] });
    const terminal = await openTerminal({ server, env: { TERM: "foot", TMUX: "" } });
    const titles: string[] = [];
    terminal.emulator.onTitleChange((title) => titles.push(title));
    terminal.type("make tea\r");
    await terminal.waitFor("One.");
    await terminal.until("title", () => titles.at(-1) === "make tea · localharness");
    expect(titles).toContain("● make tea · localharness");
    expect(terminal.bytes()).not.toContain("\u001b]777;");
    // The terminal reports that its window has lost the focus: no key, so the draft and a question do not change.
    terminal.type("\u001b[O");
    terminal.type("more\r");
    await terminal.waitFor("[1] Allow Once");
    const told = "\u001b]777;notify;Local Harness;asks about write_file\u0007";
    await terminal.until("notification", () => terminal.bytes().includes(told));
    expect(titles.at(-1)).toBe("? make tea · localharness");
    terminal.type("\u001b[I");
    await terminal.settled();
    terminal.press("1");
    await terminal.waitFor("Two.");
    terminal.type("/rename tea time\r");
    await terminal.until("title", () => titles.at(-1) === "tea time · localharness");
    expect(count(terminal.bytes(), "\u001b]777;")).toBe(1);
    terminal.press("ctrl+d");
    expect(await terminal.ended()).toBe(0);
    for (const [begin, end] of [
      ["\u001b[?1004h", "\u001b[?1004l"],
      ["\u001b[22;0t", "\u001b[23;0t"],
    ] as const) {
      expect(count(terminal.bytes(), begin)).toBe(1);
      expect(count(terminal.bytes(), end)).toBe(1);
    }
  });

  test("settings turn the title off, and tell at any time", async () => {
    const place = makePlace();
    const settings = { notify: "bell", notify_when: "always", terminal_title: false };
    configure(place, "config.json", JSON.stringify(settings));
    server.use({ turns: [{ text: "One." }] });
    const terminal = await openTerminal({ server, place });
    let bells = 0;
    terminal.emulator.onBell(() => {
      bells += 1;
    });
    terminal.type("go\r");
    await terminal.waitFor("One.");
    await terminal.until("bell", () => bells === 1);
    for (const none of ["\u001b]2;", "\u001b[22;0t", "\u001b[?1004h"])
      expect(terminal.bytes()).not.toContain(none);
    terminal.close();
  });
});
