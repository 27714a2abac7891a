/** Checks that the terminal's settings, cursor and modes are restored, however the program ends. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { hangMs } from "./measures.ts";
import { hasScript, pressTwice, type Screen, startScreen } from "./run-in-terminal.ts";
import { makePlace } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();

const wire = () => argumentsFor(server);
const write = { name: "write_file", arguments: { path: "new.txt", content: "made\n" } };

/** Modes that would outlast the program: hidden cursor, alternate screen, mouse, bracketed paste, key modes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for escape sequences.
const lasting = /\u001b\[\?(?:25l|1049h|47h|1000h|1002h|1003h|1006h|2004h|1h)|\u001b=|\u001b\[>\d*u/;

type Moment = "at the prompt" | "at a question" | "in a turn";

async function openAt(moment: Moment, node: readonly string[] = []): Promise<Screen> {
  server.use({
    turns:
      moment === "at a question"
        ? [{ calls: [write] }, { text: "Done." }]
        : [{ text: "word ".repeat(3_000), everyMs: 10 }],
  });
  const screen = await startScreen(["-i", ...wire()], { node });
  await screen.said(/Ctrl-C interrupts\.[\s\S]*> /);
  if (moment === "at the prompt") return screen;
  screen.type("go\r");
  await screen.said(moment === "at a question" ? "[4] Deny" : "word word");
  return screen;
}

async function expectRestored(screen: Screen, code: string | RegExp): Promise<void> {
  await screen.said(code);
  const { before, after } = screen.settings();
  expect(after).toBe(before);
  expect(after).toMatch(/[^-]icanon/);
  expect(after).toMatch(/[^-]echo /);
  expect(screen.text()).not.toMatch(lasting);
  screen.end();
}

const moments: Moment[] = ["at the prompt", "at a question", "in a turn"];
const signals: NodeJS.Signals[] = ["SIGTERM", "SIGHUP"];

describe.skipIf(!hasScript())("the terminal is restored (needs util-linux script)", () => {
  test("the settings differ while the chat waits, so that this test can fail", async () => {
    const screen = await openAt("at the prompt");
    process.kill(screen.pid(), "SIGKILL");
    await screen.said("code=137");
    const { before, after } = screen.settings();
    expect(after).not.toBe(before);
    screen.end();
  });

  const leaving: [string, string][] = [
    ["/quit", "/quit\r"],
    ["Ctrl-D", "\u0004"],
  ];
  test.each(leaving)("after %s", async (_how, keys) => {
    const screen = await openAt("at the prompt");
    screen.type(keys);
    await expectRestored(screen, "code=0");
  });

  test.each(moments)("after Ctrl-C twice %s", async (moment) => {
    const screen = await openAt(moment);
    await pressTwice(screen, "code=130");
    await expectRestored(screen, "code=130");
  });

  test.each(signals.flatMap((name) => moments.map((moment) => [name, moment] as const)))(
    "after one %s %s",
    async (name, moment) => {
      const screen = await openAt(moment);
      process.kill(screen.pid(), name);
      await expectRestored(screen, "code=130");
    },
  );

  test("after an uncaught error, which is printed", async () => {
    const place = makePlace();
    const crash = join(place.home, "crash.cjs");
    writeFileSync(crash, 'process.on("SIGUSR2", () => { throw new Error("a defect"); });\n');
    const screen = await openAt("at the prompt", ["--require", crash]);
    process.kill(screen.pid(), "SIGUSR2");
    await expectRestored(screen, /a defect[\s\S]*code=[1-9]/);
  });

  test("after a question in a turn with --print", async () => {
    server.use({ turns: [{ calls: [write] }, { text: "Done." }] });
    const screen = await startScreen(["-p", ...wire(), "go"]);
    await screen.said(/\[4\] Deny\r\n> /);
    screen.type("1\r");
    await expectRestored(screen, "code=0");
  });

  test.each(moments)("the program ends soon after the terminal, %s", async (moment) => {
    const screen = await openAt(moment);
    const pid = screen.pid();
    screen.end();
    const began = performance.now();
    for (; isAlive(pid) && performance.now() - began < hangMs; await sleep(50));
    expect(isAlive(pid)).toBe(false);
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
