/** Checks folders beside the workspace with the real program: `--add-dir`, `/add-dir`, trust, the session that keeps them, undo. */
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { makePlace, type Place, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();
const wire = [...argumentsFor(server), "--sandbox", "off"];

interface Lib {
  readonly place: Place;
  readonly lib: string;
}

function makeLib(): Lib {
  const place = makePlace({ "w.txt": "workspace\n" });
  const lib = join(dirname(place.workspace), "lib");
  mkdirSync(join(lib, ".localharness"), { recursive: true });
  writeFileSync(join(lib, "a.txt"), "from lib\n");
  writeFileSync(join(lib, "AGENTS.md"), "Always say TOMATO.");
  const rule = { id: "no-sql", decision: "deny", path: "*.sql", justification: "no data" };
  writeFileSync(join(lib, ".localharness/policy.json"), JSON.stringify({ version: 1, rules: [rule] }));
  mkdirSync(`${lib}-other`);
  writeFileSync(`${lib}-other/secret.txt`, "SIBLING\n");
  return { place, lib };
}

type Call = readonly [name: string, args: Readonly<Record<string, string>>];

/**
 * Sends one message, after which the model makes the calls, one an answer. The session has `before` answers already. Returns what the
 * model got last.
 */
async function turn({ place }: Lib, args: readonly string[], calls: readonly Call[] = [], before = 0) {
  const earlier = Array.from({ length: before }, () => ({ text: "Before." }));
  server.use({
    turns: [
      ...earlier,
      ...calls.map(([name, given]) => ({ calls: [{ name, arguments: given }] })),
      { text: "Done." },
    ],
  });
  const ended = await run(["-p", ...wire, ...args, "go"], { place });
  const messages = JSON.stringify(server.chats.at(-1)?.body?.["messages"] ?? []);
  return { ...ended, messages };
}

const trustLib = ({ place, lib }: Lib) => run(["trust", "add", lib], { place });

test("a trusted folder is used like the workspace, with its instructions and its rules", async () => {
  const made = makeLib();
  const { lib, place } = made;
  await trustLib(made);
  const { code, messages, stderr } = await turn(
    made,
    ["--add-dir", "../lib", "--mode", "accept-edits"],
    [
      ["read_file", { path: `${lib}/a.txt` }],
      ["write_file", { path: `${lib}/new.txt`, content: "made\n" }],
      ["write_file", { path: `${lib}/data.sql`, content: "no\n" }],
      ["read_file", { path: `${lib}-other/secret.txt` }],
      ["read_file", { path: `${lib}/../lib-other/secret.txt` }],
    ],
  );
  // The call that a rule of the folder denies ends the run with this code.
  expect(code).toBe(4);
  expect(stderr).not.toContain("not trusted");
  expect(messages).toContain(`The person added the folder \\"${lib}\\" to this session.`);
  expect(messages).toContain("Always say TOMATO.");
  expect(messages).toContain("from lib");
  expect(messages).toContain("no data");
  expect(messages).not.toContain("SIBLING");
  expect(readFileSync(join(lib, "new.txt"), "utf8")).toBe("made\n");
  expect(existsSync(join(lib, "data.sql"))).toBe(false);
  const undone = await run(["undo"], { place });
  expect(undone.stdout + undone.stderr).toContain(`${lib}/new.txt`);
  expect(existsSync(join(lib, "new.txt"))).toBe(false);
});

test("of a folder that is not trusted nothing is used, and nothing in it is changed", async () => {
  const made = makeLib();
  const { lib } = made;
  const { messages, stderr } = await turn(
    made,
    ["--add-dir", lib, "--allow", "write_file"],
    [["write_file", { path: `${lib}/new.txt`, content: "x" }]],
  );
  expect(messages).not.toContain("TOMATO");
  expect(existsSync(join(lib, "new.txt"))).toBe(true);
  expect(stderr).toContain("the options of this run say what tools may do");
  const reading = await turn(
    made,
    ["--add-dir", lib],
    [
      ["write_file", { path: `${lib}/other.txt`, content: "x" }],
      ["read_file", { path: `${lib}/a.txt` }],
    ],
  );
  expect(reading.messages).not.toMatch(/TOMATO|from lib/);
  expect(reading.messages).toContain("only read, and nothing in it may be changed");
  expect(reading.stderr).toContain(`${lib} is not trusted: only read, and each read asks`);
  expect(existsSync(join(lib, "other.txt"))).toBe(false);
});

test("the folders come back with the session, and one that is gone is told", async () => {
  const made = makeLib();
  const { lib } = made;
  await trustLib(made);
  await turn(made, ["--add-dir", lib]);
  const read: readonly Call[] = [["read_file", { path: `${lib}/a.txt` }]];
  const again = await turn(made, ["--continue"], read, 1);
  expect(again.messages).toContain("from lib");
  expect(again.messages.match(/The person added the folder/g)).toHaveLength(1);
  renameSync(lib, `${lib}-moved`);
  const gone = await turn(made, ["--continue"], read, 3);
  expect(gone.stderr).toContain(`there is no folder ${lib}; the session goes on without it`);
  expect(gone.messages).toContain("which this session had beside the workspace, is gone");
  expect(gone.messages).toContain("leads out of the workspace");
  const fresh = await turn(made, [], [["read_file", { path: `${lib}-moved/a.txt` }]]);
  expect(fresh.messages).not.toContain("from lib");
});

test("a link is shown with its real path, and a later link in its place is not followed", async () => {
  const made = makeLib();
  const { lib, place } = made;
  await trustLib(made);
  symlinkSync(lib, join(place.workspace, "link"));
  const { stderr } = await turn(made, ["--add-dir", "link"]);
  expect(stderr).toContain(`link is ${lib}`);
  renameSync(lib, `${lib}-moved`);
  symlinkSync(`${lib}-other`, lib);
  const later = await turn(made, ["--continue"], [["read_file", { path: `${lib}/secret.txt` }]], 1);
  expect(later.stderr).toContain(`${lib} is a link to ${lib}-other now`);
  expect(later.messages).not.toContain("SIBLING");
});

describe("a folder that cannot be added ends the run before the model is asked", () => {
  test.each([
    ["../none", /there is no folder .*none/],
    ["w.txt", /w\.txt is not a folder/],
    [".", /is not added: it is the workspace/],
    ["/", /is not added: it holds/],
    ["~", /is not added: it holds your home folder/],
  ])("%s", async (path, expected) => {
    const made = makeLib();
    const { code, stderr } = await turn(made, ["--add-dir", path]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(expected)]);
    expect(server.chats).toEqual([]);
  });
});

test("in a chat a folder is added, trusted, listed and taken away", async () => {
  const made = makeLib();
  const { lib, place } = made;
  const calls = (path: string) => [
    { calls: [{ name: "read_file", arguments: { path } }] },
    { text: "Done." },
  ];
  const file = `${lib}/a.txt`;
  server.use({ turns: [...calls(file), ...calls(file), ...calls(file)] });
  const talk = await start(["-i", ...wire], { place, stdin: "open" });
  const type = async (line: string, waitsFor: RegExp) => {
    talk.child.stdin?.write(`${line}\n`);
    await talk.said(waitsFor);
  };
  await talk.said(/mode default[\s\S]*\n> $/);
  await type("/add-dir", /There is no folder beside the workspace[\s\S]*\n> $/);
  await type("one", /Done\.[\s\S]*\n> $/);
  await type(
    "/add-dir ../lib",
    /Added: .*lib, not trusted: only read[\s\S]*add-dir .*lib yes trusts it[\s\S]*\n> $/,
  );
  await type("/add-dir ../lib yes", /Now: .*lib, trusted[\s\S]*\n> $/);
  await type("/add-dir", /lib: trusted[\s\S]*\n> $/);
  await type("two", /Done\.[\s\S]*Done\.[\s\S]*\n> $/);
  expect(JSON.stringify(server.chats.at(-1)?.body)).toMatch(/TOMATO[\s\S]*from lib/);
  await type("/add-dir remove ../lib", /Taken away: .*lib[\s\S]*\n> $/);
  await type("three", /Done\.[\s\S]*Done\.[\s\S]*Done\.[\s\S]*\n> $/);
  const last = JSON.stringify(server.chats.at(-1)?.body);
  expect(last).toContain("it can no longer be reached");
  expect(last.match(/from lib/g)).toHaveLength(1);
  talk.child.stdin?.write("/quit\n");
  expect((await talk.ended).code).toBe(0);
});

test("a chat asks about the trust in a folder of the options", async () => {
  const { lib, place } = makeLib();
  const talk = await start(["-i", ...wire, "--add-dir", lib], { place, stdin: "open" });
  await talk.said(/Do you trust the files in this folder, which you add[\s\S]*\[3\] Do not add it\n> $/);
  talk.child.stdin?.write("1\n");
  await talk.said(new RegExp(`Workspace .* and ${lib}, mode default`));
  talk.child.stdin?.end("/quit\n");
  expect((await talk.ended).code).toBe(0);
  expect((await run(["trust", "list"], { place })).stdout).toMatch(new RegExp(`trusted .*${lib}`));
});

test("`policy explain` and `sandbox status` know the folders", async () => {
  const made = makeLib();
  const { lib, place } = made;
  await trustLib(made);
  const call = JSON.stringify({ path: `${lib}/a.txt` });
  const explained = await run(["policy", "explain", "read_file", call, "--add-dir", lib], { place });
  expect(explained.stdout).toMatch(/^ALLOW by look/);
  expect(explained.stdout).toContain(`and ${lib}`);
  const data = JSON.stringify({ path: `${lib}/x.sql`, content: "" });
  const denied = await run(["policy", "explain", "write_file", data, "--add-dir", lib], { place });
  expect(denied.stdout).toMatch(/^DENY by project:no-sql/);
  const status = await run(["sandbox", "status", "--add-dir", lib], { place });
  expect(status.stdout).toMatch(
    status.stdout.startsWith("sandbox (") ? new RegExp(`writes to .*${lib} only`) : /./,
  );
});
