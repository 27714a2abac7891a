/** Checks Esc in every state of a turn, Ctrl+C once and twice, and a terminal that closes. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { ScriptedTurn } from "../../packages/models/test/fake-server/index.ts";
import { hangMs } from "../measures.ts";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { type Emulated, openTerminal } from "./open-terminal.ts";

const server = await serveModel();

const write = { name: "write_file", arguments: { path: "a.txt", content: "x" } };
const slow = { name: "bash", arguments: { command: "echo begun; sleep 20; touch made" } };

/** Moments of a turn: title, what the model does, what the screen then shows, and which keys lead there. */
const moments: [string, ScriptedTurn, string | RegExp, string[]][] = [
  ["reading the prompt", { delayMs: 10_000, text: "late" }, "reading the prompt", []],
  ["thinking", { reasoning: "leaf ".repeat(2_000), everyMs: 10, text: "x" }, "thinking,", []],
  ["answering", { text: "leaf ".repeat(2_000), everyMs: 10 }, "leaf leaf", []],
  [
    "writing a call",
    {
      calls: [{ name: "write_file", arguments: { path: "a", content: "leaf ".repeat(2_000) } }],
      everyMs: 10,
    },
    "writing a call of write_file",
    [],
  ],
  ["asking", { calls: [write] }, "[1] Allow Once", []],
  ["running a tool", { calls: [slow] }, /begun[\s\S]*running bash/, ["1"]],
];

async function openAt([, turn, seen, keys]: (typeof moments)[number]): Promise<Emulated> {
  server.use({ turns: [turn, { text: "Still here." }] });
  const terminal = await openTerminal({ server });
  terminal.type("go\r");
  if (keys.length > 0) await terminal.waitFor("[1] Allow Once");
  terminal.press(...keys);
  await terminal.waitFor(seen);
  return terminal;
}

describe.skipIf(!hasScript())("an interrupt (needs util-linux script)", () => {
  test.each(moments)("by Esc while %s; the session continues", async (...moment) => {
    const terminal = await openAt(moment);
    terminal.press("esc");
    await terminal.waitFor("! interrupted");
    server.use({ turns: [{ text: "Still here." }, { text: "Still here." }] });
    terminal.type("there?\r");
    await terminal.waitFor("Still here.");
    expect(existsSync(join(terminal.place.workspace, "a.txt"))).toBe(false);
    terminal.close();
  });

  test.each(["esc", "ctrl+c"])("by %s puts queued messages back into the editor", async (key) => {
    const terminal = await openAt(["", { text: "leaf ".repeat(2_000), everyMs: 10 }, "leaf leaf", []]);
    terminal.type("and hurry\r");
    await terminal.waitFor("queued: and hurry");
    terminal.type("please");
    terminal.press(key);
    await terminal.waitFor("! interrupted");
    await terminal.waitFor("your queued message is in the editor");
    expect(server.chats.length).toBe(1);
    server.use({ turns: [{ text: "Still here." }, { text: "Still here." }] });
    terminal.press("enter");
    await terminal.waitFor("Still here.");
    expect(JSON.stringify(server.chats.at(-1)?.body)).toContain("and hurry\\n\\nplease");
    terminal.close();
  });

  test("Ctrl+C once interrupts, twice leaves, and the terminal is as it was", async () => {
    const terminal = await openAt(["", { text: "leaf ".repeat(2_000), everyMs: 10 }, "leaf leaf", []]);
    terminal.press("ctrl+c");
    await terminal.waitFor("Ctrl+C again leaves");
    await terminal.waitFor("! interrupted");
    // In one piece, because presses more than a second apart do not count as a double press.
    terminal.type("\u0003\u0003");
    expect(await terminal.ended()).toBe(0);
    expect(terminal.settings().after).toBe(terminal.settings().before);
    terminal.close();
  });

  test("the iterations of a long turn are counted", async () => {
    const search = (index: number) => ({ name: "grep_search", arguments: { pattern: `none${index}` } });
    const looks = Array.from({ length: 11 }, (_, index) => ({ calls: [search(index)] }));
    server.use({ turns: [...looks, { delayMs: 10_000, text: "late" }] });
    const env = { LOCALHARNESS_ITERATIONS_WITHOUT_PROGRESS: "40" };
    const terminal = await openTerminal({
      server,
      args: ["--iterations-per-turn", "30", "--answer", "session"],
      env,
    });
    terminal.type("go\r");
    await terminal.waitFor("iteration 12 of at most 30");
    terminal.press("esc");
    await terminal.waitFor("! interrupted");
    expect(await terminal.settled()).not.toContain("Go on?");
    terminal.close();
  });

  test.each([
    ["enter", /go on[\s\S]*All is done\./],
    ["esc", /Stopped at the limit of 1 iteration(?![\s\S]*Go on\?)/],
  ])("at a limit the screen asks whether to go on; %s answers", async (key, then) => {
    const look = { calls: [{ name: "ls", arguments: { path: "." } }] };
    server.use({ turns: [look, { text: "All is done." }] });
    const terminal = await openTerminal({ server, args: ["--iterations-per-turn", "1"] });
    terminal.type("go\r");
    await terminal.waitFor("Go on? Enter goes on · Esc ends here");
    // A key that comes too soon after the question counts for nothing: a person presses it again.
    await terminal.until(key, () => {
      if (terminal.screen().includes("Go on?")) terminal.press(key);
      return then.test(terminal.everything());
    });
    expect(server.chats).toHaveLength(key === "enter" ? 2 : 1);
    terminal.close();
  });

  test("Ctrl+Z does nothing without a shell that can resume the program", async () => {
    server.use({ turns: [{ text: "Still here." }] });
    const terminal = await openTerminal({ server });
    terminal.press("ctrl+z");
    await terminal.until("return", () => terminal.bytes().split("\u001b[?2004h").length > 2);
    terminal.type("there?\r");
    await terminal.waitFor("Still here.");
    terminal.close();
  });

  test("Ctrl+Z suspends the program, and fg resumes it with the running turn", async () => {
    server.use({ turns: [{ text: "leaf ".repeat(400), everyMs: 5 }, { text: "Still here." }] });
    const terminal = await openTerminal({ server, jobs: true });
    terminal.type("go\r");
    await terminal.waitFor("leaf leaf");
    terminal.press("ctrl+z");
    await terminal.waitFor("suspended");
    expect(terminal.beside("suspended")).toBe(terminal.beside("before"));
    terminal.type("back\r");
    await terminal.waitFor(/leaf[\s\S]*─{10}/);
    terminal.type("there?\r");
    await terminal.waitFor("Still here.");
    terminal.press("ctrl+d");
    expect(await terminal.ended()).toBe(0);
    expect(terminal.settings().after).toBe(terminal.settings().before);
    terminal.close();
  });

  test("a terminal that closes at a question denies it, and the program ends soon", async () => {
    const terminal = await openAt(["", { calls: [write] }, "[1] Allow Once", []]);
    const pid = terminal.pid();
    terminal.close();
    const began = performance.now();
    while (isAlive(pid) && performance.now() - began < 2 * hangMs) await sleep(20);
    expect(performance.now() - began).toBeLessThan(hangMs);
    expect(existsSync(join(terminal.place.workspace, "a.txt"))).toBe(false);
  });

  test("an uncaught error restores the terminal", async () => {
    const place = makePlace();
    const crash = join(place.home, "crash.cjs");
    writeFileSync(crash, 'process.on("SIGUSR2", () => { throw new Error("a defect"); });\n');
    const terminal = await openTerminal({ server, place, env: { NODE_OPTIONS: `--require ${crash}` } });
    process.kill(terminal.pid(), "SIGUSR2");
    expect(await terminal.ended()).not.toBe(0);
    expect(terminal.everything()).toContain("a defect");
    expect(terminal.settings().after).toBe(terminal.settings().before);
    expect(terminal.bytes().lastIndexOf("\u001b[?2004l")).toBeGreaterThan(
      terminal.bytes().lastIndexOf("\u001b[?2004h"),
    );
    expect(terminal.bytes().lastIndexOf("\u001b[?25h")).toBeGreaterThan(
      terminal.bytes().lastIndexOf("\u001b[?25l"),
    );
    terminal.close();
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
