/** Checks trust in folders with the real program: what an untrusted folder may do, who is asked, what is remembered. */
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { configure, makePlace, type Place, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();

const files = { "a.txt": "one\n" };
const wire = () => [...argumentsFor(server), "--sandbox", "off"];
const write = { name: "write_file", arguments: { path: "new.txt", content: "made\n" } };
const look = { name: "ls", arguments: {} };

/** Sends one message, for which the model lists the folder and writes a file. */
async function message(place: Place, ...args: string[]) {
  server.use({ turns: [{ calls: [look, write] }, { text: "Done." }] });
  return run(["-p", ...wire(), ...args, "go"], { place });
}

/** Runs a chat and types each line when the program has printed the text before it. */
async function chat(place: Place, lines: readonly (readonly [string, RegExp])[]) {
  const talk = await start(["-i", ...wire()], { place, stdin: "open" });
  for (const [line, waitsFor] of lines) {
    await talk.said(waitsFor);
    talk.child.stdin?.write(`${line}\n`);
  }
  return talk.ended;
}

const question = /Do you trust the files in this folder\?[\s\S]*\n> $/;
const prompt = /Workspace .*, mode default[\s\S]*\n> $/;

test("`tool call` is restricted in an untrusted folder, too", async () => {
  const place = makePlace(files, false);
  await chat(place, [
    ["3", question],
    ["/quit", prompt],
  ]);
  const call = ["tool", "call", "write_file", JSON.stringify(write.arguments)];
  const ended = await run([...call, "--mode", "accept-edits"], { place });
  expect(ended).toMatchObject({ code: 4, stderr: expect.stringContaining("permission_denied") });
  expect(existsSync(join(place.workspace, "new.txt"))).toBe(false);
});

test("in a folder of a repository the question is about its root, once, and its instructions hold", async () => {
  const place = makePlace(
    { ".git/HEAD": "", "AGENTS.md": "Work like the root.", "a/x": "", "b/x": "" },
    false,
  );
  const folder = (name: string) => ["--workspace", join(place.workspace, name)];
  const talk = await start(["-i", ...wire(), ...folder("a")], { place, stdin: "open" });
  await talk.said(question);
  talk.child.stdin?.write("1\n");
  await talk.said(/mode default[\s\S]*\n> $/);
  talk.child.stdin?.end();
  const { stdout } = await talk.ended;
  expect(stdout).toMatch(/in this folder\?\n {2}(.*)\n {2}\(the repository of a, where you are\)/);
  server.use({ turns: [{ text: "Done." }] });
  await run(["-p", ...wire(), ...folder("b"), "go"], { place });
  expect(JSON.stringify(server.chats.at(-1)?.body?.["messages"])).toContain("Work like the root.");
});

describe("one message in a folder that nobody was asked about", () => {
  test("reads and changes nothing, and says how to trust it", async () => {
    const place = makePlace(files, false);
    const ended = await message(place, "--mode", "default");
    expect(ended.stderr).toMatch(
      /is not trusted: only tools that read are on, and each read asks\.[\s\S]*localharness trust add/,
    );
    expect(ended.stderr).toMatch(/✓ ls[\s\S]*✗ write_file permission_denied/);
    expect(ended.code).toBe(4);
  });

  test.each([
    ["--trust", ["--trust", "--mode", "accept-edits"]],
    ["what tools may do", ["--answer", "once"]],
  ])("is allowed by %s for this run only", async (_what, args) => {
    const place = makePlace(files, false);
    expect((await message(place, ...args)).code).toBe(0);
    expect(readFileSync(join(place.workspace, "new.txt"), "utf8")).toBe("made\n");
    expect((await message(place)).stderr).toContain("is not trusted");
  });
});

describe("a chat in a folder that nobody was asked about", () => {
  test("asks once, and remembers that it is trusted", async () => {
    const place = makePlace(files, false);
    const first = await chat(place, [
      ["1", question],
      ["/quit", prompt],
    ]);
    expect(first).toMatchObject({ code: 0, stdout: expect.not.stringContaining("is not trusted") });
    const second = await chat(place, [["/quit", prompt]]);
    expect(second.stdout).not.toContain("Do you trust");
    expect((await run(["trust", "list"], { place })).stdout).toMatch(/^trusted .*\/ws\n$/);
  });

  test('remembers the answer "only read"', async () => {
    const place = makePlace(files, false);
    await chat(place, [
      ["what?", question],
      ["3", /Type 1 \(trust\)/],
      ["/quit", prompt],
    ]);
    const second = await chat(place, [["/quit", prompt]]);
    expect(second.stdout).not.toContain("Do you trust");
    expect(second.stdout).toContain("is not trusted: only tools that read are on");
    expect((await run(["trust", "list"], { place })).stdout).toMatch(/^only read .*\/ws\n$/);
  });

  test("a new session takes the trust and the mode that were chosen meanwhile", async () => {
    const talk = await chat(makePlace(files, false), [
      ["3", question],
      ["/tools", prompt],
      ["/trust auto", /\[-\] write_file +off here: folder not trusted/],
      ["/tools", /is now trusted: .* begin in mode auto\./],
      ["/clear", /get_working_directory[\s\S]*get_working_directory[\s\S]*\n> $/],
      ["/tools", /started a new session/],
      ["/mode", /\[x\] write_file/],
      ["/quit", /mode is auto/],
    ]);
    expect(talk.stdout).not.toMatch(/started a new session[\s\S]*off here/);
  });

  test("a new session takes trust that was given in another terminal", async () => {
    const place = makePlace(files, false);
    const talk = await start(["-i", ...wire()], { place, stdin: "open" });
    const type = async (line: string, waitsFor: RegExp) => {
      await talk.said(waitsFor);
      talk.child.stdin?.write(`${line}\n`);
    };
    await type("3", question);
    await talk.said(prompt);
    expect((await run(["trust", "add"], { place })).code).toBe(0);
    await type("/clear", prompt);
    await type("/tools", /started a new session/);
    await type("/quit", /\[x\] write_file/);
    expect((await talk.ended).code).toBe(0);
  });

  test.each(["4", ""])("can be left without a request to the model (answer %j)", async (answer) => {
    const place = makePlace(files, false);
    const before = server.chats.length;
    const talk = await start(["-i", ...wire(), "a first message"], { place, stdin: "open" });
    await talk.said(question);
    talk.child.stdin?.end(answer);
    expect((await talk.ended).code).toBe(0);
    expect(server.chats.length).toBe(before);
    expect((await run(["trust", "list"], { place })).stdout).toBe("no folder is trusted yet\n");
  });
});

describe("rules of the project", () => {
  const deny = JSON.stringify({
    version: 2,
    rules: [{ id: "no", decision: "deny", justification: "not here", tool: "write_file" }],
  });

  test.each([
    [true, 4, "not here"],
    [false, 0, ""],
  ])("hold when the folder is trusted: %s", async (trusted, code, reason) => {
    const place = makePlace({ ".localharness/policy.json": deny }, trusted);
    const ended = await message(place, "--answer", "once");
    expect(ended.code, ended.stderr).toBe(code);
    expect(ended.stderr).toContain(reason);
  });
});

describe("trust", () => {
  test("is added, listed and forgotten by command", async () => {
    const place = makePlace(files, false);
    expect((await run(["trust", "list"], { place })).stdout).toBe("no folder is trusted yet\n");
    expect(await run(["trust", "add"], { place })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^trusted: .*\/ws\n$/),
    });
    expect(JSON.parse((await run(["trust", "list", "--json"], { place })).stdout)).toMatchObject([
      { path: expect.stringMatching(/\/ws$/), trusted: true },
    ]);
    expect((await message(place, "--mode", "accept-edits")).code).toBe(0);
    expect((await run(["trust", "forget"], { place })).code).toBe(0);
    expect((await run(["trust", "forget"], { place })).code).toBe(1);
    expect((await message(place)).stderr).toContain("is not trusted");
    expect((await run(["trust", "add", "nowhere"], { place })).code).toBe(2);
    expect((await run(["trust", "grant"], { place })).code).toBe(2);
  });

  test("is said to stay with the repository when that of a folder in it is forgotten", async () => {
    const place = makePlace({ ".git/HEAD": "", "sub/a.txt": "" }, true);
    const forget = async (folder: string) => await run(["trust", "forget", folder], { place });
    const stays = /it stays trusted with its repository: localharness trust forget \/\S+\/ws forgets that/;
    expect(await forget("sub")).toMatchObject({ code: 1, stderr: expect.stringMatching(stays) });
    expect((await run(["trust", "add", "sub"], { place })).code).toBe(0);
    expect(await forget("sub")).toMatchObject({ code: 0, stderr: expect.stringMatching(stays) });
    expect((await forget(".")).stderr).not.toContain("stays");
    expect((await forget("sub")).stderr).not.toContain("stays");
  });

  test("belongs to the real folder, not to its name", async () => {
    const place = makePlace(files, true);
    const link = join(dirname(place.workspace), "link");
    symlinkSync(place.workspace, link);
    expect((await message({ ...place, workspace: link })).stderr).not.toContain("is not trusted");
    const other = join(dirname(place.workspace), "other");
    mkdirSync(other);
    writeFileSync(join(other, "a.txt"), "x");
    expect((await message({ ...place, workspace: other })).stderr).toContain("is not trusted");
    expect((await message({ ...place, workspace: join(other, "..") })).stderr).toContain("is not trusted");
    renameSync(place.workspace, `${place.workspace}-moved`);
    const moved = { ...place, workspace: `${place.workspace}-moved` };
    expect((await message(moved)).stderr).toContain("is not trusted");
  });

  test("is nobody's when its file is damaged, and that is said", async () => {
    const place = makePlace(files, true);
    configure(place, "trust.json", '{"version": 1, "folders": [{"path": "/"');
    const ended = await message(place);
    expect(ended.stderr).toMatch(/trust\.json is damaged[\s\S]*is not trusted/);
  });
});
