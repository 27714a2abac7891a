/** Checks a session that another program drives with JSON lines, permissions included. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { applyEvent, type Command, emptyView, type SessionEvent } from "@localharness/protocol";
import { expect, test } from "vitest";
import { makePlace, type Place, type Run, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();

type Line = SessionEvent | { readonly type: "input-error"; readonly seq: 0; readonly message: string };

interface Child {
  readonly place: Place;
  readonly run: Run;
  send(command: Command | string): void;
  /** Resolves with the first matching event after the last one that was waited for. */
  next<T extends Line["type"]>(
    type: T,
    fits?: (event: Extract<Line, { type: T }>) => boolean,
  ): Promise<Extract<Line, { type: T }>>;
  lines(): readonly Line[];
}

async function drive(place: Place, ...args: string[]): Promise<Child> {
  const wire = argumentsFor(server);
  const run = await start(["--input", "stream-json", ...wire, ...args], { place, stdin: "open" });
  let read = 0;
  const lines = () =>
    run
      .output()
      .stdout.split("\n")
      .slice(0, -1)
      .map((line): Line => JSON.parse(line));
  return {
    place,
    run,
    lines,
    send: (command) =>
      run.child.stdin?.write(`${typeof command === "string" ? command : JSON.stringify(command)}\n`),
    async next(type, fits = () => true) {
      type Wanted = Extract<Line, { type: typeof type }>;
      const isWanted = (line: Line): line is Wanted => line.type === type && fits(line as Wanted);
      for (;;) {
        const all = lines();
        const at = all.findIndex((line, index) => index >= read && isWanted(line));
        const found = all[at];
        if (found !== undefined && isWanted(found)) {
          read = at + 1;
          return found;
        }
        const had = run.output().stdout.length;
        await Promise.race([
          new Promise<void>((resolve) => {
            const look = () => (run.output().stdout.length > had ? resolve() : setTimeout(look, 5));
            look();
          }),
          run.ended.then((ended) => {
            if (ended.stdout.length === had) throw new Error(`no ${type} came: ${JSON.stringify(ended)}`);
          }),
        ]);
      }
    },
  };
}

const write = (path: string) => ({ name: "write_file", arguments: { path, content: "made\n" } });

test("two turns with permissions, a denial with a note, steering, an interrupt and a change of mode", async () => {
  server.use({
    turns: [
      { text: "I write.", calls: [write("a.txt")] },
      { calls: [write("b.txt")] },
      { text: "One is written, one is not." },
      { text: "word ".repeat(4_000), everyMs: 5 },
      { calls: [write("c.txt")] },
      { text: "All done." },
    ],
  });
  const child = await drive(makePlace());
  child.send({ type: "user-message", content: "write two files" });
  const first = await child.next("permission-request");
  expect(first.request).toMatchObject({ toolName: "write_file", arguments: { path: "a.txt" } });
  // A message sent while a turn runs reaches the model with its next call.
  child.send({ type: "user-message", content: "and be quick" });
  child.send({ type: "permission-answer", requestId: first.request.requestId, answer: "once" });
  await child.next("tool-result", (event) => event.result.success);
  await child.next("user-message", (event) => event.content === "and be quick");
  const second = await child.next("permission-request");
  child.send({
    type: "permission-answer",
    requestId: second.request.requestId,
    answer: "deny",
    note: "one is enough",
  });
  const denied = await child.next("tool-result");
  expect(denied.result.error_message).toContain("one is enough");
  expect(await child.next("turn-end")).toMatchObject({ reason: "done", denied: 1 });
  expect(readFileSync(join(child.place.workspace, "a.txt"), "utf8")).toBe("made\n");
  expect(existsSync(join(child.place.workspace, "b.txt"))).toBe(false);

  child.send({ type: "user-message", content: "tell me a lot" });
  await child.next("text-delta", (event) => event.text.includes("word"));
  child.send({ type: "interrupt" });
  expect(await child.next("turn-end")).toMatchObject({ reason: "interrupted" });

  child.send({ type: "set-mode", mode: "accept-edits" });
  await child.next("mode-changed");
  child.send({ type: "user-message", content: "once more" });
  expect(await child.next("turn-end")).toMatchObject({ reason: "done" });
  expect(existsSync(join(child.place.workspace, "c.txt"))).toBe(true);

  child.run.child.stdin?.end();
  const ended = await child.run.ended;
  expect(ended.code).toBe(0);
  const events = child.lines() as SessionEvent[];
  expect(events.map((event) => event.seq)).toEqual(events.map((_event, index) => index + 1));
  const view = events.reduce(applyEvent, emptyView);
  expect(view.messages.at(-1)).toMatchObject({ role: "assistant", content: "All done." });
});

test("an invalid line is answered with an input-error, and the other lines count", async () => {
  server.use({ turns: [{ text: "Hello." }] });
  const child = await drive(makePlace());
  const wrong = [
    "{",
    "[]",
    '{"type":"dance"}',
    '{"type":"user-message"}',
    '{"type":"set-mode","mode":"wild"}',
    '{"type":"permission-answer","requestId":"x","answer":"once"}',
  ];
  for (const line of wrong) child.send(line);
  child.send({ type: "user-message", content: "hi" });
  await child.next("turn-end");
  child.run.child.stdin?.end();
  const ended = await child.run.ended;
  expect(ended.code).toBe(0);
  const errors = child.lines().filter((line) => line.type === "input-error");
  expect(errors).toHaveLength(wrong.length);
  expect(errors.map((error) => ("message" in error ? error.message : ""))).toEqual([
    expect.stringMatching(/not JSON/),
    expect.stringMatching(/an object with a "type", got a list/),
    expect.stringMatching(/one of user-message, .*got "dance"/),
    expect.stringMatching(/needs "content".*got nothing/),
    expect.stringMatching(/one of default, .*got "wild"/),
    expect.stringMatching(/no request "x" is open/),
  ]);
  // A program that folds all lines gets the same view.
  const view = (child.lines() as SessionEvent[]).reduce(applyEvent, emptyView);
  expect(view.messages.at(-1)).toMatchObject({ role: "assistant", content: "Hello." });
});

test("at the end of input a question is denied, the turn ends normally, and the exit code is 4", async () => {
  server.use({ turns: [{ calls: [write("a.txt")] }, { calls: [write("b.txt")] }, { text: "Not done." }] });
  const child = await drive(makePlace());
  child.send({ type: "user-message", content: "go" });
  await child.next("permission-request");
  child.run.child.stdin?.end();
  const ended = await child.run.ended;
  expect(ended.code).toBe(4);
  const answers = child.lines().filter((line) => line.type === "permission-answer");
  expect(answers).toMatchObject([
    { answer: "deny", by: "nobody" },
    { answer: "deny", by: "nobody" },
  ]);
  expect(existsSync(join(child.place.workspace, "a.txt"))).toBe(false);
  expect((await run(["audit"], { place: child.place })).stdout).toMatch(/^(.*nobody to ask.*\n){2}$/);
});

test("--answer also answers questions after the end of input", async () => {
  server.use({ turns: [{ calls: [write("a.txt")] }, { text: "Done." }] });
  const place = makePlace();
  const stdin = `${JSON.stringify({ type: "user-message", content: "go" })}\n`;
  const args = ["--input", "stream-json", ...argumentsFor(server), "--answer", "once"];
  expect(await run(args, { place, stdin })).toMatchObject({
    code: 0,
    stderr: expect.not.stringContaining("denied"),
  });
  expect(existsSync(join(place.workspace, "a.txt"))).toBe(true);
});

test.each([
  ["SIGTERM", false, 130],
  ["SIGTERM", true, 130],
  ["--timeout", false, 124],
  ["--timeout", true, 124],
] as const)(
  "%s ends a driven session in the middle of a turn, in order (input over: %s)",
  async (how, over, code) => {
    server.use({ turns: [{ text: "word ".repeat(4_000), everyMs: 10 }] });
    const child = await drive(makePlace(), ...(how === "--timeout" ? ["--timeout", "2"] : []));
    child.send({ type: "user-message", content: "go" });
    if (over) child.run.child.stdin?.end();
    if (how === "SIGTERM") {
      await child.next("text-delta");
      child.run.child.kill("SIGTERM");
    }
    const ended = await child.run.ended;
    expect(ended.code).toBe(code);
    expect(child.lines().at(-1)).toMatchObject({ type: "turn-end", reason: "interrupted" });
  },
);

test("a reader that closes stdout after the end of input makes the exit code an error", async () => {
  server.use({ turns: [{ text: "word ".repeat(4_000), everyMs: 10 }] });
  const child = await drive(makePlace());
  child.send({ type: "user-message", content: "go" });
  child.run.child.stdin?.end();
  await child.next("text-delta");
  child.run.child.stdout?.destroy();
  expect((await child.run.ended).code).toBe(1);
});
