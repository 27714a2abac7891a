/** The chat, over pipes and in a terminal. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { hangMs } from "./measures.ts";
import { hasScript, pressTwice } from "./run-in-terminal.ts";
import { configure, makePlace, type Place, program, type Run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";
import { quotedWords, spawnInTerminal } from "./spawn-in-terminal.ts";

const server = await serveModel();

const wire = () => argumentsFor(server);
const write = { name: "write_file", arguments: { path: "new.txt", content: "made\n" } };

async function chat(
  args: readonly string[] = [],
  place: Place = makePlace(),
): Promise<Run & { type(line: string): void }> {
  const run = await start(["-i", ...wire(), ...args], { place, stdin: "open" });
  return { ...run, type: (line) => run.child.stdin?.write(`${line}\n`) };
}

describe("the chat over pipes", () => {
  test("greets, answers one message after another, and ends with the input", async () => {
    server.use({ turns: [{ text: "Hello." }, { text: "Still here." }] });
    const talk = await chat();
    await talk.said(/Using fake-model[\s\S]*mode default\. \/help lists commands[\s\S]*> /);
    talk.type("hi");
    await talk.said("Hello.\n> ");
    talk.type("and \\");
    talk.type("now?");
    await talk.said("Still here.\n> ");
    talk.child.stdin?.end();
    expect((await talk.ended).code).toBe(0);
    const messages = server.chats[1]?.body?.["messages"];
    expect(messages).toMatchObject([
      { role: "system" },
      { content: "hi" },
      { content: "Hello." },
      { content: "and \nnow?" },
    ]);
  });

  test("asks before a call and takes the answer; Remember holds in the next run", async () => {
    const place = makePlace();
    server.use({ turns: [{ calls: [write] }, { text: "Done." }] });
    const talk = await chat([], place);
    talk.type("write it");
    await talk.said("[1] Allow Once  [2] Session  [3] Remember  [4] Deny\n> ");
    const { stdout } = talk.output();
    expect(stdout).toMatch(
      /⚠️ {2}Permission Request\n\nTool: write_file\nArguments: \{"path": "new\.txt", "content": "made\\n"\}\nRisk: HIGH/,
    );
    expect(stdout).toContain("+made");
    talk.type("3");
    await talk.said("Done.\n> ");
    talk.type("/quit");
    expect((await talk.ended).code).toBe(0);
    expect(readFileSync(join(place.workspace, "new.txt"), "utf8")).toBe("made\n");

    server.use({
      turns: [{ calls: [{ ...write, arguments: { path: "other.txt", content: "x" } }] }, { text: "Done." }],
    });
    const again = await start(["-p", ...wire(), "again"], { place });
    expect((await again.ended).code).toBe(0);
  });

  test("the end of input at a question is a deny", async () => {
    server.use({ turns: [{ calls: [write] }, { text: "Then not." }] });
    const talk = await chat();
    talk.type("write it");
    await talk.said("[4] Deny");
    talk.child.stdin?.end();
    const ended = await talk.ended;
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/permission_denied[\s\S]*Then not\./);
  });

  const endings: [string, readonly string[], string][] = [
    ["behind the message", [], "write it\n"],
    ["before anything came", ["write it"], ""],
  ];
  test.each(endings)(
    "the end of input %s denies what is asked later, and the turn ends",
    async (_when, args, text) => {
      server.use({ turns: [{ calls: [write] }, { text: "Then not." }] });
      const place = makePlace();
      const { ended } = await start(["-i", ...wire(), ...args], { place, stdin: text });
      const { code, stdout } = await ended;
      expect(stdout).toMatch(/\[4\] Deny\n> no answer: denied\n[\s\S]*Then not\.\n/);
      expect(code).toBe(0);
      expect(existsSync(join(place.workspace, "new.txt"))).toBe(false);
    },
  );

  test("a line typed while tools run steers the turn", async () => {
    server.use({
      turns: [{ calls: [{ name: "bash", arguments: { command: "sleep 0.4" } }] }, { text: "As you wish." }],
    });
    const talk = await chat(["--answer", "once"]);
    talk.type("go");
    await talk.said("→ bash");
    talk.type("rather blue");
    await talk.said("As you wish.");
    talk.type("/quit");
    await talk.ended;
    const messages = server.chats[1]?.body?.["messages"];
    expect(Array.isArray(messages) ? messages.at(-1) : undefined).toMatchObject({
      role: "user",
      content: "rather blue",
    });
  });

  const commands: [string, RegExp][] = [
    ["/help", /\/mode .*\n[\s\S]*\/quit/],
    ["/mode", /mode is default; known: default, plan, accept-edits, bypass/],
    ["/mode plan", /mode plan/],
    ["/tools", /ls, read_file|read_file/],
    ["/tools bash off", /bash is off from the next message on, kept/],
    ["/model", /\* fake-model, 32768 tokens/],
    ["/model other", /No running server has the model "other"|model other, from the next answer on/],
    ["/permissions", /nothing is remembered/],
    ["/config num_predict x", /"num_predict" expects a whole number/],
    ["/config num_predict 12", /kept: num_predict = 12/],
    ["/cost", /nothing was asked of a model yet/],
    ["/bug", /Nothing of this was sent/],
    ["/context", /system prompt[\s\S]*tool ls[\s\S]*in all, estimated/],
    ["/tasks", /the model has no tasks/],
    ["/tree", /this session has no branches/],
    ["/files", /ws\/\n {2}a\.txt/],
    ["/new", /a fresh conversation/],
    ["/hlep", /unknown command \/hlep\. Did you mean \/help\?/],
  ];
  test.each(commands)("%s", async (line, said) => {
    const talk = await chat([], makePlace({ "a.txt": "a" }));
    talk.type(line);
    await talk.said(said);
    talk.type("/exit");
    expect((await talk.ended).code).toBe(0);
  });

  test("the model's tasks and the branches of a session, also of one that is gone on with", async () => {
    const place = makePlace();
    const add = { name: "add_task", arguments: { content: "cook the \u001b[31mpeas" } };
    server.use({ turns: [{ calls: [add] }, { text: "Noted." }] });
    const first = await chat(["--tools", "all", "--answer", "once"], place);
    first.type("one");
    await first.said("Noted.");
    first.type("/quit");
    await first.ended;
    server.use({ turns: [{ text: "Again." }] });
    const talk = await chat(["--continue"], place);
    talk.type("/tasks");
    await talk.said("○ cook the \\x1b[31mpeas");
    talk.type("/fork 1");
    await talk.said("A branch from before your first message");
    talk.type("two");
    await talk.said("Again.");
    talk.type("/tree");
    await talk.said(/\n {2}\S+ {2}3 messages {2}one\n\* {3}\S+ {2}2 messages {2}two\n\/resume ID/);
    talk.type("/tasks");
    await talk.said("the model has no tasks");
    talk.type("/quit");
    await talk.ended;
  });

  test("/config hides a password in an address", async () => {
    const named = wire().map((word) => word.replace("http://", "http://me:hunter2@"));
    const talk = await start(["-i", ...named], { place: makePlace(), stdin: "open" });
    talk.child.stdin?.end("/config host\n");
    await talk.said(/\nhost +http:\/\/\*+@127/);
    expect((await talk.ended).stdout).not.toContain("hunter2");
  });

  test("what a damaged policies file was is told, and the file kept", async () => {
    const place = makePlace();
    configure(place, "policies.json", '{"version": 1, "rules": [');
    server.use({ turns: [{ text: "Hello." }] });
    const talk = await chat([], place);
    talk.type("hi");
    await talk.said(/! .*policies\.json is damaged .*kept as .*broken-/);
    talk.type("/quit");
    await talk.ended;
  });

  test("nothing a model says reaches the terminal as a command", async () => {
    server.use({ turns: [{ text: "a\u001b]0;title\u0007b\u001b[2Jc\u202ed\r\n" }] });
    const talk = await chat();
    talk.type("hi");
    await talk.said("a]0;titleb[2Jcd\n");
    talk.type("/quit");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be there.
    expect((await talk.ended).stdout).not.toMatch(/[\u001b\u0007\u202e\r]/);
  });
});

describe.skipIf(!hasScript())("in a terminal (needs util-linux script)", () => {
  async function terminal(args: readonly string[], place = makePlace(), pipe = "") {
    const words = quotedWords([process.execPath, program(), ...args]);
    const child = spawnInTerminal(`${words} ${pipe}; echo "code=$?"`, place, { TERM: "xterm" });
    // Also where the test fails: a terminal that stays open holds the run.
    onTestFinished(() => void child.kill("SIGKILL"));
    let screen = "";
    child.stdout.on("data", (piece: string) => {
      screen += piece;
    });
    const said = async (text: string | RegExp) => {
      const came = () => (typeof text === "string" ? screen.includes(text) : text.test(screen));
      for (const began = performance.now(); !came(); await sleep(10)) {
        if (performance.now() - began > hangMs)
          throw new Error(`it did not say ${text}: ${JSON.stringify(screen)}`);
      }
    };
    return {
      said,
      type: (keys: string) => child.stdin.write(keys),
      screen: () => screen,
      end: () => child.kill(),
    };
  }

  test("Ctrl-C interrupts the turn, the session goes on, and Ctrl-C twice leaves with 130", async () => {
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

  test("lines that are pasted are one message", async () => {
    server.use({ turns: [{ text: "Read." }] });
    const screen = await terminal(["-i", ...wire()]);
    await screen.said("> ");
    screen.type("first\rsecond\rthird\r");
    await screen.said("Read.");
    expect(JSON.stringify(server.chats[0]?.body)).toContain("first\\nsecond\\nthird");
    screen.type("\u0004");
    await screen.said("code=0");
    screen.end();
  });

  test("a printed turn asks in the terminal; Ctrl-C at the question denies and ends it", async () => {
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
  /** The model goes on speaking only after what was typed has had time to arrive. */
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
    await screen.said(/is no answer to it\.\r\n> /);
    // Nothing is left of it in front of what is typed now.
    screen.type("4\r");
    await screen.said("Done.");
    expect(existsSync(join(place.workspace, "new.txt"))).toBe(false);
    screen.type("\u0004");
    await screen.said(/code=[04]/);
    screen.end();
  });

  test("no answer: a word before the question, where the chat is shown through a pipe", async () => {
    const place = makePlace();
    const typed = typedIn(place);
    server.use({
      turns: [{ text: "word ".repeat(30), calls: [write], faults: typed.wait }, { text: "Done." }],
    });
    const screen = await terminal(chatOfLines(), place, "| cat");
    await screen.said("word");
    screen.type("1");
    await typed.now();
    await screen.said(/is no answer to it\.\r\n> /);
    screen.type("4\r");
    await screen.said("Done.");
    expect(existsSync(join(place.workspace, "new.txt"))).toBe(false);
    screen.type("\u0004");
    await screen.said("code=0");
    screen.end();
  });

  test("Ctrl-C at the question about the folder leaves", async () => {
    const screen = await terminal(["-i", ...wire()], makePlace({}, false));
    await screen.said(/\[3\] Leave\r\n> /);
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
