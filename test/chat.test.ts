/** Checks the chat over pipes. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { configure, makePlace, type Place, type Run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

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
      /⚠️ {2}Permission Request\n\nTool: write_file\nArguments: \{"path": "new\.txt", "content": "made\\n"\}\n\n[\s\S]*\+made\n\nRisk: can be undone here\n/,
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
    ["/mode", /mode is default; available: default, plan, accept-edits, auto, bypass/],
    ["/mode plan", /mode plan/],
    ["/tools", /ls, read_file|read_file/],
    ["/tools bash off session", /bash is off from the next message on, in this session only/],
    ["/tools bash off", /bash is off from the next message on, also in later sessions/],
    ["/tools bash off for-ever", /usage: \/tools NAME on\|off \[session\]/],
    ["/model", /\* fake-model, 33k window/],
    ["/model other", /No running server has the model "other"|model other, from the next answer on/],
    ["/permissions", /no remembered answers/],
    ["/config num_predict x", /"num_predict" expects a whole number/],
    ["/config num_predict 12", /saved: num_predict = 12/],
    ["/cost", /no requests to a model yet/],
    ["/bug", /None of this was sent/],
    ["/context", /system prompt[\s\S]*tool ls[\s\S]*total, estimated/],
    ["/tasks", /the model has no tasks/],
    ["/tree", /this session has no branches/],
    ["/status", /model +fake-model[\s\S]*workspace +\S+ws/],
    ["/diff", /no tool has changed files in this session/],
    ["/copy", /\/copy needs the full screen or the browser/],
    ["/files", /ws\/\n {2}a\.txt/],
    ["/new", /started a new session/],
    ["/hlep", /unknown command \/hlep\. Did you mean \/help\?/],
  ];
  test.each(commands)("%s", async (line, said) => {
    const talk = await chat([], makePlace({ "a.txt": "a" }));
    talk.type(line);
    await talk.said(said);
    talk.type("/exit");
    expect((await talk.ended).code).toBe(0);
  });

  test("/tools saves no choice without a tool, with which the next start would fail", async () => {
    const place = makePlace();
    const config = configure(place, "config.json", JSON.stringify({ tools: "bash" }));
    const talk = await chat([], place);
    talk.type("/tools ls on session");
    await talk.said("ls is on");
    talk.type("/tools bash off");
    await talk.said(/"tools" expects minimal, standard, all, or a list .*, got \[\]/);
    talk.type("/exit");
    expect((await talk.ended).code).toBe(0);
    expect(JSON.parse(readFileSync(config, "utf8"))).toEqual({ tools: "bash" });
  });

  test("a message may begin with a path", async () => {
    server.use({ turns: [{ text: "Seen." }] });
    const talk = await chat([]);
    talk.type("/etc/hosts names this machine");
    await talk.said("Seen.");
    expect(JSON.stringify(server.chats.at(-1)?.body)).toContain("/etc/hosts names this machine");
    talk.type("/exit");
    expect((await talk.ended).code).toBe(0);
  });

  test("prints the progress of reading a long prompt, with the cached tokens", async () => {
    const at = (processed: number) => ({ total: 12_000, cache: 800, processed });
    server.use({ turns: [{ text: "Yes.", promptProgress: [at(800), at(2_848), at(12_000)] }] });
    const talk = await chat(["--provider", "llamacpp"]);
    talk.type("Read on.");
    await talk.said(/· reading the prompt: 800 of 12,000 tokens, 800 from cache\n+Yes\./);
    talk.type("/exit");
    expect((await talk.ended).code).toBe(0);
  });

  test("/context shows the token count of a server that has one", async () => {
    server.use({ turns: [], countsTokens: true });
    const talk = await chat(["--provider", "llamacpp"]);
    talk.type("/context");
    await talk.said(/total, estimated; the server counts \d{4} in the next request/);
    talk.type("/exit");
    expect((await talk.ended).code).toBe(0);
    const counted = server.log.find(({ path }) => path.endsWith("/input_tokens"))?.body;
    expect(counted).toMatchObject({ messages: [{ role: "system" }], tools: expect.any(Array) });
  });

  test("/tasks and /tree, also in a continued session", async () => {
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
    await talk.said("This branch begins before your first message");
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

  test("the lines of an error are lines, not escapes", async () => {
    const talk = await start(["-i", "--model", "demo"], { place: makePlace(), stdin: "open" });
    talk.child.stdin?.end("/model ghost\n");
    const { code, stdout } = await talk.ended;
    expect(code).toBe(0);
    // A machine with a model server gets the other sentence.
    expect(stdout).toMatch(/No running server has the model "ghost"|Looked for:\n {4}ollama at/);
  });

  test("a damaged policies file is reported and kept", async () => {
    const place = makePlace();
    configure(place, "policies.json", '{"version": 1, "rules": [');
    server.use({ turns: [{ text: "Hello." }] });
    const talk = await chat([], place);
    talk.type("hi");
    await talk.said(/! .*policies\.json is damaged .*kept as .*broken-/);
    talk.type("/quit");
    await talk.ended;
  });

  test("text of a model never reaches the terminal as a control sequence", async () => {
    server.use({ turns: [{ text: "a\u001b]0;title\u0007b\u001b[2Jc\u202ed\r\n" }] });
    const talk = await chat();
    talk.type("hi");
    await talk.said("a]0;titleb[2Jcd\n");
    talk.type("/quit");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test expects none of them.
    expect((await talk.ended).stdout).not.toMatch(/[\u001b\u0007\u202e\r]/);
  });
});
