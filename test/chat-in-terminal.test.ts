/** Checks the chat line by line in a terminal. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { hangMs } from "./measures.ts";
import { hasScript, pressTwice } from "./run-in-terminal.ts";
import { cachedCode, makePlace, type Place, program } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";
import { quotedWords, spawnInTerminal } from "./spawn-in-terminal.ts";

const server = await serveModel();

const wire = () => argumentsFor(server);
const write = { name: "write_file", arguments: { path: "new.txt", content: "made\n" } };

describe.skipIf(!hasScript())("in a terminal (needs util-linux script)", () => {
  async function terminal(args: readonly string[], place = makePlace(), pipe = "") {
    const words = quotedWords([process.execPath, program(), ...args]);
    const child = spawnInTerminal(`${words} ${pipe}; echo "code=$?"`, place, {
      ...cachedCode(),
      TERM: "xterm",
    });
    // Also when the test fails, because an open terminal would keep the test run alive.
    onTestFinished(() => void child.kill("SIGKILL"));
    let screen = "";
    child.stdout.on("data", (piece: string) => {
      screen += piece;
    });
    const said = async (text: string | RegExp) => {
      const came = () => (typeof text === "string" ? screen.includes(text) : text.test(screen));
      for (const began = performance.now(); !came(); await sleep(10)) {
        if (performance.now() - began > hangMs) {
          throw new Error(`it did not say ${text}: ${JSON.stringify(screen)}`);
        }
      }
    };
    return {
      said,
      type: (keys: string) => child.stdin.write(keys),
      screen: () => screen,
      end: () => child.kill(),
    };
  }

  test("Ctrl-C interrupts the turn, the session continues, and Ctrl-C twice leaves with 130", async () => {
    server.use({ turns: [{ text: "word ".repeat(2_000), everyMs: 10 }, { text: "Back again." }] });
    const screen = await terminal(["-i", ...wire()]);
    await screen.said("> ");
    screen.type("go\r");
    await screen.said("word word");
    screen.type("\u0003");
    await screen.said("interrupted");
    await screen.said(/interrupted[\s\S]*> /);
    screen.type("are you there\r");
    await screen.said("Back again.");
    await screen.said(/Back again\.\r?\n[^\n]*> /);
    screen.type("\u0003");
    await screen.said(/Back again\.[\s\S]*Ctrl-C again leaves/);
    await pressTwice(screen, "code=130");
    screen.end();
  });

  test("pasted lines are one message", async () => {
    server.use({ turns: [{ text: "Read." }, { text: "Read again." }] });
    const screen = await terminal(["-i", ...wire()]);
    await screen.said("> ");
    screen.type("first\rsecond\rthird\r");
    await screen.said("Read.");
    expect(JSON.stringify(server.chats[0]?.body)).toContain("first\\nsecond\\nthird");
    await screen.said(/Read\.\r\n[^\n]*> /);
    // The last line of a paste without a line end at its end waits for Enter, and the others with it.
    screen.type("fourth\r\nfifth\r\nsixth");
    await screen.said("sixth");
    screen.type(" and last\r");
    await screen.said("Read again.");
    expect(server.chats).toHaveLength(2);
    expect(JSON.stringify(server.chats[1]?.body)).toContain("fourth\\nfifth\\nsixth and last");
    screen.type("\u0004");
    await screen.said("code=0");
    screen.end();
  });

  test("lines pasted during a turn are one message to the model", async () => {
    const place = makePlace();
    const untilFile = join(place.home, "..", "typed");
    const look = { name: "ls", arguments: { path: "." } };
    const faults = [{ kind: "pause", afterEvents: 4, untilFile }] as const;
    server.use({ turns: [{ text: "word ".repeat(30), calls: [look], faults }, { text: "Steered." }] });
    const screen = await terminal(["-i", ...wire(), "go"], place);
    await screen.said("word");
    screen.type("mind the kettle\rand the cups\r");
    await screen.said("before its next step");
    writeFileSync(untilFile, "");
    await screen.said("Steered.");
    expect(screen.screen().match(/before its next step/g)).toHaveLength(1);
    expect(JSON.stringify(server.chats.at(-1)?.body)).toContain("mind the kettle\\nand the cups");
    screen.type("\u0004");
    await screen.said("code=0");
    screen.end();
  });

  test("a turn with --print asks in the terminal; Ctrl-C at the question denies and ends it", async () => {
    server.use({ turns: [{ calls: [write] }, { text: "Done." }] });
    const allowed = await terminal(["-p", ...wire(), "write it"]);
    await allowed.said(/\[4\] Deny\r\n> /);
    allowed.type("1\r");
    await allowed.said("Done.");
    await allowed.said("code=0");
    allowed.end();

    server.use({ turns: [{ calls: [write] }, { text: "Done." }] });
    const left = await terminal(["-p", ...wire(), "write it"]);
    await left.said("[4] Deny");
    left.type("\u0003");
    await left.said("code=130");
    left.end();
  });

  const chatOfLines = () => ["-i", ...wire(), "write it"];
  /** Starts a model that continues its answer only after typed text has had time to arrive. */
  function typedIn({ home }: Place) {
    const untilFile = join(home, "..", "typed");
    return {
      wait: [{ kind: "pause", afterEvents: 4, untilFile }] as const,
      async now() {
        await sleep(250);
        writeFileSync(untilFile, "");
      },
    };
  }

  const typedEarly: [string, () => readonly string[], string, string][] = [
    ["a line before the question, a printed turn", () => ["-p", ...wire(), "write it"], "1\r", ""],
    [
      "a word before and Enter at the question, a printed turn",
      () => ["-p", ...wire(), "write it"],
      "1",
      "\r",
    ],
    ["a word before and Enter at the question, the chat", chatOfLines, "1", "\r"],
    ["a word before the question, the chat", chatOfLines, "1", ""],
    ["a line right at the question, the chat", chatOfLines, "", "1\r"],
    ["keys from the question on, the chat", chatOfLines, "", "say 1"],
  ];
  test.each(typedEarly)("no answer: %s", async (_what, args, before, atOnce) => {
    const place = makePlace();
    const typed = typedIn(place);
    server.use({
      turns: [{ text: "word ".repeat(30), calls: [write], faults: typed.wait }, { text: "Done." }],
    });
    const screen = await terminal(args(), place);
    await screen.said("word");
    screen.type(before);
    await typed.now();
    await screen.said("[4] Deny");
    screen.type(atOnce);
    await screen.said(/could be read was ignored\.\r\n> /);
    // Nothing typed earlier is left before what is typed now.
    screen.type("4\r");
    await screen.said("Done.");
    expect(existsSync(join(place.workspace, "new.txt"))).toBe(false);
    screen.type("\u0004");
    await screen.said(/code=[04]/);
    screen.end();
  });

  test("no answer: a word typed before the question, when stdout is a pipe", async () => {
    const place = makePlace();
    const typed = typedIn(place);
    server.use({
      turns: [{ text: "word ".repeat(30), calls: [write], faults: typed.wait }, { text: "Done." }],
    });
    const screen = await terminal(chatOfLines(), place, "| cat");
    await screen.said("word");
    screen.type("1");
    await typed.now();
    await screen.said(/could be read was ignored\.\r\n> /);
    screen.type("4\r");
    await screen.said("Done.");
    expect(existsSync(join(place.workspace, "new.txt"))).toBe(false);
    screen.type("\u0004");
    await screen.said("code=0");
    screen.end();
  });

  const objections: [string, () => readonly string[]][] = [
    ["a printed turn", () => ["-p", ...wire(), "write it"]],
    ["the chat", chatOfLines],
  ];
  test.each(objections)("what is typed at a question never allows, line by line: %s", async (_what, args) => {
    server.use({ turns: [{ calls: [write] }, { text: "Done." }] });
    const place = makePlace();
    const screen = await terminal(args(), place);
    await screen.said(/\[4\] Deny\r\n> /);
    screen.type("1 but not that\r");
    await screen.said(/must be alone on its line\. Type 1 [^\n]*\n> /);
    // Both lines in one piece, as a paste arrives.
    screen.type("1\rand then\r");
    await screen.said(/right after the answer[^\n]*\n> /);
    screen.type("3\rno");
    await screen.said(/right after the answer[\s\S]*right after the answer[^\n]*\n> /);
    expect(existsSync(join(place.workspace, "new.txt"))).toBe(false);
    screen.type("no, do not touch that file\r");
    await screen.said("Done.");
    const told = JSON.stringify(server.chats.at(-1)?.body);
    expect(told).toContain("no, do not touch that file");
    expect(told).not.toContain("and then");
    expect(existsSync(join(place.workspace, "new.txt"))).toBe(false);
    screen.type("\u0004");
    await screen.said(/code=[04]/);
    screen.end();
  });

  test("what is typed at the question about the folder never trusts it", async () => {
    const place = makePlace({}, false);
    const screen = await terminal(["-i", ...wire()], place);
    await screen.said(/\[4\] Leave\r\n> /);
    screen.type("1 no\r");
    await screen.said(/Type 1 [^\n]*\n> /);
    screen.type("1\rno, wait\r");
    await screen.said(/right after the answer[^\n]*\n> /);
    screen.type("3\r");
    await screen.said("is not trusted");
    screen.type("\u0004");
    await screen.said("code=0");
    screen.end();
  });

  test("Ctrl-C at the question about the folder leaves", async () => {
    const screen = await terminal(["-i", ...wire()], makePlace({}, false));
    await screen.said(/\[4\] Leave\r\n> /);
    screen.type("\u0003");
    await screen.said("code=0");
    expect(screen.screen()).not.toMatch(/Error|\n\s+at /);
    screen.end();
  });

  test("Ctrl-D in the middle of a turn denies what it asks, and leaves after it", async () => {
    const place = makePlace();
    const typed = typedIn(place);
    const turn = { text: "word ".repeat(30), calls: [write], faults: typed.wait };
    server.use({ turns: [turn, { text: "Then not." }] });
    const screen = await terminal(chatOfLines(), place);
    await screen.said("word");
    screen.type("\u0004");
    await typed.now();
    await screen.said("no answer: denied");
    await screen.said(/Then not\.[\s\S]*code=0/);
    expect(existsSync(join(place.workspace, "new.txt"))).toBe(false);
    screen.end();
  });
});
