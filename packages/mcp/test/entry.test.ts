/** Checks the reading of `mcp.json`: the forms that programs write, mistakes, references, and the hash of an entry. */
import { describe, expect, test } from "vitest";
import { growth } from "../../../test/measures.ts";
import {
  describeEntry,
  entryHash,
  entryJson,
  expandEntry,
  readEntries,
  type ServerEntry,
} from "../src/config/index.ts";

const read = (entry: object) => readEntries(JSON.stringify({ mcpServers: { s: entry } }));
const reference = (name: string) => `$\{${name}}`;

function one(entry: object): ServerEntry {
  const [first] = read(entry).entries;
  if (first === undefined) throw new Error(read(entry).problems.join());
  return first;
}

describe("an entry is read", () => {
  const command = {
    kind: "command",
    name: "s",
    disabled: false,
    command: "c",
    args: [],
    env: {},
    sandbox: false,
  };
  const address = {
    kind: "address",
    name: "s",
    disabled: false,
    url: "http://x",
    headers: {},
    transport: "any",
  };
  test.each([
    [{ command: "c" }, command],
    [
      { type: "stdio", command: "c", args: ["a"], env: { P: 80, Q: true } },
      { ...command, args: ["a"], env: { P: "80", Q: "true" } },
    ],
    [
      { command: "c", cwd: "d", sandbox: true, timeout: 5, disabled: true },
      { ...command, cwd: "d", sandbox: true, timeoutSeconds: 5, disabled: true },
    ],
    [{ url: "http://x" }, address],
    [
      { type: "sse", url: "http://x", headers: { A: "b" } },
      { ...address, transport: "sse", headers: { A: "b" } },
    ],
    [
      { type: "streamable-http", serverUrl: "http://x" },
      { ...address, transport: "http" },
    ],
  ])("%j", (entry, expected) => {
    expect(read(entry)).toEqual({ entries: [expected], problems: [] });
    expect(read(entryJson(one(entry))).entries).toEqual([expected]);
  });
});

test.each([
  ["not json", 'expected an object {"mcpServers": {...}}|it is not JSON'],
  ["[]", "expected an object"],
  ['{"mcpServers": {"s": 5}}', '"s": expected an object with a command or a url'],
  ['{"mcpServers": {"s": {}}}', '"s": expected "command" or "url"'],
  ['{"mcpServers": {"s": {"command": "c", "args": "a"}}}', '"s": "args" must be a list of texts'],
  ['{"mcpServers": {"s": {"command": "c", "env": {"a": []}}}}', '"s": "env" must be an object of texts'],
  ['{"mcpServers": {"s": {"url": "u", "headers": []}}}', '"s": "headers" must be an object of texts'],
])("the mistake in %s is said", (text, problem) => {
  expect(readEntries(text)).toEqual({
    entries: [],
    problems: [expect.stringMatching(new RegExp(problem.replaceAll(/[{}.]/g, "\\$&")))],
  });
});

test.each([
  ["of the key of VS Code", '{ "servers": { "s": { "command": "c", "args": ["http://a,]"] } } }'],
  [
    "with comments and trailing commas",
    '{ // my servers\n "servers": { "s": { "command": "c", /* x */ "args": ["http://a,]"], }, } }',
  ],
  [
    "with comments behind trailing commas",
    '{ "servers": { "s": { "command": "c", "args": ["http://a,]", // see [1]\n /* "b", */ ], // note\n } } }',
  ],
])("a file %s is read", (_what, text) => {
  expect(readEntries(text).entries[0]).toMatchObject({ command: "c", args: ["http://a,]"] });
});

test.each([
  ["a comment without its end", '{ "servers": { "s": { "command": "c" } } } /* "x'],
  ["a comment that ends where it begins", '{ "servers": { "s": { "command": "c" } } } /*/'],
  ["a text without its end", '{ "servers": { "s": { "command": "c } } }'],
])("a file with %s is not JSON", (_what, text) => {
  expect(readEntries(text)).toEqual({ entries: [], problems: ["it is not JSON"] });
});

test.each<[string, (size: number) => string]>([
  ["quotes in a text without its end", (size) => `"${'\\"'.repeat(size / 2)}`],
  ["beginnings of comments", (size) => "/* ".repeat(size / 3)],
  ["spaces after a comma", (size) => `[,${" ".repeat(size)}x`],
  ["commas and spaces", (size) => ", ".repeat(size / 2)],
])("many %s take time in proportion to their number", async (_what, make) => {
  const reading = (text: string) => () => readEntries(text);
  expect(await growth(reading(make(10_000)), reading(make(80_000)), 24)).toBeLessThan(24);
});

describe("references", () => {
  const entry = one({
    command: "c",
    args: [reference("A"), reference("B:-b")],
    env: { T: `x${reference("env:A")}` },
  });
  test("are replaced by variables and defaults", () => {
    expect(expandEntry(entry, { A: "1" })).toMatchObject({
      ok: true,
      entry: { args: ["1", "b"], env: { T: "x1" } },
    });
  });
  test("without a value are named", () => {
    expect(expandEntry(entry, {})).toEqual({ ok: false, missing: ["A"] });
  });
});

test("the hash changes with everything that a question shows", () => {
  const base = { command: "c", args: ["a"], env: { E: "1" } };
  const others = [
    { ...base, command: "d" },
    { ...base, args: ["b"] },
    { ...base, env: { E: "2" } },
    { ...base, cwd: "x" },
    { ...base, sandbox: true },
    { url: "c" },
  ];
  const hashes = [base, ...others].map((entry) => entryHash(one(entry)));
  expect(new Set(hashes).size).toBe(hashes.length);
});

test("a question masks a password in the command, but never what a shell would obey", () => {
  const shown = (word: string) => describeEntry(one({ command: "sh", args: ["-c", word] }))[0];
  expect(shown("https://me:s3cretPass9@h/x")).toBe("command: sh -c https://me:[password hidden]@h/x");
  expect(shown("a://x:;{rm,-rf,keep};@y")).toContain("{rm,-rf,keep}");
  expect(shown("a?token=A1b2C3d4E5f6G7h8|sh")).toContain("|sh");
});

test("a question shows the words of the command apart, and names variables without their values", () => {
  const entry = one({ command: "sh", args: ["-c", "rm -rf x"], env: { TOKEN: reference("MY_TOKEN") } });
  expect(describeEntry(entry)).toEqual([
    'command: sh -c "rm -rf x"',
    "sets environment variables: TOKEN",
    "reads your environment variables: MY_TOKEN",
    "runs outside of the sandbox, with your rights",
  ]);
});
