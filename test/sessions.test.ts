/** Checks saved sessions with the real program: continued, chosen, branched, searched, exported, or not saved at all. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FakeServer, startFakeServer } from "../packages/models/test/fake-server/index.ts";
import { hasScript, startScreen } from "./run-in-terminal.ts";
import { type Ended, makePlace, type Place, run, start } from "./run-program.ts";

let server: FakeServer;
beforeAll(async () => {
  server = await startFakeServer({
    turns: Array.from({ length: 9 }, (_, index) => ({ text: `Answer ${index}.` })),
  });
});
afterAll(() => server.close());

const wire = () => ["--base-url", server.baseUrl, "--model", "fake-model"];

function say(place: Place, message: string, ...more: string[]): Promise<Ended> {
  return run(["-p", ...wire(), ...more, message], { place });
}

/** Returns the messages of the model's last request, without the system prompt. */
function told(): readonly unknown[] {
  const { messages } = (server.chats.at(-1)?.body ?? { messages: [] }) as {
    messages: { role: string; content: unknown }[];
  };
  return messages.filter(({ role }) => role !== "system").map(({ content }) => content);
}

describe("sessions of a folder", () => {
  const place = makePlace({ "a.txt": "a\n" });

  test("are continued", async () => {
    expect((await run(["-p", "--continue", ...wire(), "x"], { place })).stderr).toMatch(
      /no session in this folder yet/,
    );
    await say(place, "first <b>");
    expect((await say(place, "second", "--continue")).stdout).toBe("Answer 1.\n");
    expect(told()).toEqual(["first <b>", "Answer 0.", "second"]);
    await say(place, "other");
    const chosen = await say(place, "third", "--resume", "2");
    expect(chosen.code).toBe(0);
    expect(told()).toEqual(["first <b>", "Answer 0.", "second", "Answer 1.", "third"]);
  });

  test("must be chosen when there are several and no screen", async () => {
    const ended = await say(place, "which?", "--resume");
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/1 {2}\S+ {2}just now .* first <b>\n.*2 {2}\S+ .* other/);
    const named = await run(["--resume", "nope", "-p", ...wire(), "x"], { place });
    expect(named.stderr).toContain(
      '--resume=NAME ("nope" was read as the beginning of the message), such as',
    );
    const both = await say(place, "which?", "--resume", "1", "--continue");
    expect(both.stderr).toMatch(/exclude each other/);
  });

  test("are listed, searched, named, exported and deleted", async () => {
    const sessions = async (...args: string[]) => (await run(["sessions", ...args], { place })).stdout;
    expect(await sessions("rename", "2", "the", "other", "one")).toBe("");
    expect(await sessions("list")).toMatch(
      /1 .* 6 messages {2}\[-p\] first <b>\n.*2 .* 2 messages {2}\[-p\] the other one\n$/,
    );
    // Search results have no number, because a number is a position in the whole list.
    expect(await sessions("search", "OTHER")).toMatch(/^[0-9a-z-]{12,} {2}.*the other one\n.*other\n$/);
    expect(await sessions("export", "1", "--format", "html")).toContain(
      '<pre class="said">first &lt;b&gt;</pre>',
    );
    await sessions("export", "the other one", "out.json");
    expect(JSON.parse(readFileSync(join(place.workspace, "out.json"), "utf8"))).toMatchObject({
      name: "the other one",
    });
    expect(await sessions("show", "1")).toMatch(/^# first <b>/);
    expect(await sessions("stats")).toMatch(/2 sessions, 8 messages/);
    expect(await sessions("list", "--all")).toContain(place.workspace);
    await sessions("delete", "2", "1");
    expect(await sessions("list")).toBe("");
    const wrong = await run(["sessions", "lst"], { place });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/Did you mean list/) });
  });
});

test("a chat switches between sessions and branches", async () => {
  const place = makePlace();
  await say(place, "one");
  await say(place, "two", "--continue");
  const talk = await start(["-i", ...wire()], { place, stdin: "open" });
  const type = (line: string) => talk.child.stdin?.write(`${line}\n`);
  for (const line of ["/fork", "/export", "hello"]) type(line);
  await talk.said("Answer 0.\n> ");
  for (const line of ["/resume", "/resume 2", "/fork", "/fork 2", "instead"]) type(line);
  await talk.said(/> one\nAnswer 0\.\n> Answer 1\.\n> /);
  for (const line of ["/rename branch", "/export out.md", "/export json out", "/export out", "/quit"])
    type(line);
  const chat = await talk.ended;
  expect(chat.code).toBe(0);
  expect(chat.stdout).toMatch(/Continuing an earlier session of 4 messages[\s\S]*> two\nAnswer 1\./);
  expect(chat.stdout).toMatch(/1\. one\n2\. two\n/);
  expect(chat.stdout.match(/this session has no messages yet/g)).toHaveLength(2);
  expect(chat.stdout).toContain('/export takes markdown, json or html, or a FILE that ends so, got "out"');
  expect(JSON.parse(readFileSync(join(place.workspace, "out"), "utf8"))).toMatchObject({ name: "branch" });
  expect(told()).toEqual(["one", "Answer 0.", "instead"]);
  expect(readFileSync(join(place.workspace, "out.md"), "utf8")).toMatch(/## You\n\none\n[\s\S]*instead/);
  const listed = await run(["sessions", "list"], { place });
  expect(listed.stdout).toMatch(/⑂ branch[\s\S]*hello[\s\S]*one/);
});

describe("what a person reads of a session", () => {
  test("has emoji as they are, and hostile characters as escapes", async () => {
    const place = makePlace();
    await say(place, "hi 👩\u200d💻 a\u202eb");
    const { stdout } = await run(["sessions", "search", "hi"], { place });
    expect(stdout).toMatch(/hi 👩\u200d💻 a\\u202eb\n +hi 👩\u200d💻 a\\u202eb\n$/);
  });

  test.skipIf(!hasScript())("is plain text on a terminal, and Markdown in a pipe", async () => {
    const place = makePlace();
    await say(place, "first <b>");
    const screen = await startScreen(["sessions", "show", "1"], { place });
    await screen.said("code=0");
    expect(screen.text()).toMatch(/You:\r\nfirst <b>\r\n\r\nModel:\r\nAnswer \d\./);
    expect(screen.text()).not.toMatch(/<details>|```|System prompt/);
    expect((await run(["sessions", "show", "1"], { place })).stdout).toContain("<details>");
  });
});

describe("nothing is saved", () => {
  test("with --no-session", async () => {
    const place = makePlace();
    const ended = await say(place, "secret", "--no-session");
    expect(ended).toMatchObject({ code: 0, stdout: "Answer 0.\n" });
    expect(existsSync(join(place.home, ".local", "state", "localharness", "sessions"))).toBe(false);
    expect((await say(place, "x", "--no-session", "--continue")).code).toBe(2);
  });

  test("when the folder cannot be created, with one warning", async () => {
    const place = makePlace({ file: "" });
    const env = { XDG_STATE_HOME: join(place.workspace, "file") };
    const ended = await run(["-p", ...wire(), "hello"], { place, env });
    expect(ended.stdout).toBe("Answer 0.\n");
    expect(ended.stderr.match(/session is not being saved/g)).toHaveLength(1);
    expect(readdirSync(place.workspace)).toEqual(["file"]);
  });
});

test("while a turn runs, /fork and /resume are refused", async () => {
  const place = makePlace();
  await say(place, "earlier");
  server.use({ turns: [{ text: "one two three", faults: [{ kind: "stall", afterEvents: 3 }] }] });
  const talk = await start(["-i", ...wire(), "hello"], { place, stdin: "open" });
  await talk.said("one");
  for (const [index, line] of ["/fork 1", "/resume 2"].entries()) {
    talk.child.stdin?.write(`${line}\n`);
    await talk.said(new RegExp(`(a turn is running: Ctrl-C interrupts it[\\s\\S]*){${index + 1}}`));
  }
  talk.child.kill("SIGTERM");
  await talk.ended;
  const [folder = ""] = readdirSync(join(place.home, ".local", "state", "localharness", "sessions"));
  const kept = readdirSync(join(place.home, ".local", "state", "localharness", "sessions", folder));
  expect(kept.filter((name) => name.endsWith(".jsonl"))).toHaveLength(2);
});
