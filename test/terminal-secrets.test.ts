/** Checks that known keys appear in nothing that the program shows, saves, sends on or passes to child processes. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Scenario, ScriptedCall } from "../packages/models/test/fake-server/index.ts";
import { configure, makePlace, type Place, type Run, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const keys = {
  wire: "sk-wire-4f9Qz1LmN8vB2xKc7Rt0YpWd",
  file: "xai-file-Hs83kJq0ZbV5nTgM2wEyXcLu",
  token: "ghp_7Yk2mQx9RbTzW4cVn8LsPd1FhJg0Ae",
};
const environment = { LOCALHARNESS_API_KEY: keys.wire, GITHUB_TOKEN: keys.token };
const all = Object.values(keys);
/** This many consecutive characters of a key count as a leak. */
const telling = 14;
const pieces = all.flatMap((key) =>
  Array.from({ length: key.length - telling + 1 }, (_, at) => key.slice(at, at + telling)),
);

const server = await serveModel();

function leaksOf(text: string): string[] {
  return pieces.filter((piece) => text.includes(piece));
}

/** Makes a home folder with a key file and a workspace with a file that contains all keys. */
function secretPlace(): Place {
  const place = makePlace({ "notes.txt": `wire ${keys.wire}\nfile ${keys.file}\ntoken ${keys.token}\n` });
  configure(place, "keys.json", JSON.stringify({ xai: keys.file }));
  return place;
}

const planted = ["keys.json", "notes.txt"];

/** Returns the files below the folder that contain a piece of a key, except those that the test wrote. */
function leakingFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !planted.some((name) => path.endsWith(`/${name}`)))
    .filter((path) => leaksOf(readFileSync(path, "utf8")).length > 0);
}

function bash(command: string): ScriptedCall {
  return { name: "bash", arguments: { command } };
}

const filler = "head -c 400000 /dev/zero | tr '\\0' 'x'";
const printing: [string, ScriptedCall][] = [
  ["cat", bash("cat notes.txt; echo and errors >&2; cat notes.txt >&2")],
  ["read_file", { name: "read_file", arguments: { path: "notes.txt" } }],
  ["grep_search", { name: "grep_search", arguments: { pattern: "wire|file|token" } }],
  [
    "a program that writes it in two halves",
    bash("tail -c +6 notes.txt | head -c 24; sleep 1; tail -c +30 notes.txt; echo"),
  ],
  ["a progress line", bash("for n in 1 2 3; do cat notes.txt; sleep 0.4; done")],
  [
    "a long progress line",
    bash(`head -c 130 /dev/zero | tr '\\0' 'x'; head -1 notes.txt; sleep 1; sleep 0.1; echo`),
  ],
  ["an output that is cut in the middle", bash(`${filler}; cat notes.txt; ${filler}`)],
  [
    "one line of it again and again",
    bash("k=$(tr -d '\\n' < notes.txt); for n in $(seq 4000); do printf %s \"$k\"; done"),
  ],
  [
    "env and the parent's environment",
    bash("env; tr '\\0' '\\n' < /proc/$PPID/environ; cat $HOME/.config/localharness/keys.json"),
  ],
  ["a failure", bash("cat notes.txt; exit 3")],
  [
    "the preview of an edit",
    { name: "replace_lines", arguments: { path: "notes.txt", start_line: 2, end_line: 2, content: "x" } },
  ],
];

describe.each(["stream-json", "text"])("a session with --output %s", (output) => {
  test.each(printing)("hides keys that come from %s", async (_what, call) => {
    const place = secretPlace();
    server.use({ key: keys.wire, turns: [{ calls: [call] }, { text: "Done." }] });
    const args = [...argumentsFor(server), "--answer", "once"];
    const ended = await run([...args, "-p", "--output", output, "--record", "recording.jsonl", "go"], {
      place,
      env: environment,
    });
    expect(ended.stdout).toContain("Done.");
    expect(server.chats).toHaveLength(2);
    expect(leaksOf(ended.stdout)).toEqual([]);
    expect(leaksOf(ended.stderr)).toEqual([]);
    expect(leaksOf(JSON.stringify(server.chats[1]?.body))).toEqual([]);
    expect(existsSync(join(place.workspace, "recording.jsonl"))).toBe(true);
    expect(leakingFiles(join(place.home, ".."))).toEqual([]);
  });
});

const body = { error: { message: `Incorrect API key provided: ${keys.wire}. See ${keys.wire}` } };
const echoes: [string, Scenario][] = [
  ["a refusal", { turns: [{ faults: [{ kind: "status", status: 401, body }] }] }],
  [
    "a failure that is tried again",
    { turns: [{ faults: [{ kind: "status", status: 500, body }], text: "Well." }] },
  ],
  [
    "an error in the stream",
    {
      turns: [
        { text: "a b c", faults: [{ kind: "error-line", afterEvents: 1, message: `key ${keys.wire}` }] },
      ],
    },
  ],
  [
    "garbage in the stream",
    { turns: [{ text: "a b c", faults: [{ kind: "garbage", afterEvents: 1, text: keys.wire }] }] },
  ],
  [
    "a redirect",
    {
      turns: [
        { faults: [{ kind: "status", status: 302, headers: { location: `http://x/?key=${keys.wire}` } }] },
      ],
    },
  ],
];

describe("a server that sends the key back", () => {
  test.each(echoes)("in %s is quoted without the key", async (_what, scenario) => {
    for (const output of ["json", "stream-json", "text"]) {
      const place = secretPlace();
      server.use(scenario);
      const args = [...argumentsFor(server), "--record", "recording.jsonl"];
      const ended = await run([...args, "-p", "--output", output, "go"], { place, env: environment });
      expect(ended.stdout + ended.stderr).not.toBe("");
      expect(leaksOf(ended.stdout + ended.stderr)).toEqual([]);
      expect(leakingFiles(join(place.home, ".."))).toEqual([]);
    }
  });
});

/** Reads a list or a file of /proc; empty when its process has ended meanwhile. */
function readOfRunning<Value>(read: () => Value, ended: Value): Value {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return ended;
    throw error;
  }
}

/** Reads from /proc the command lines and environments of the program's child processes. */
function descendants(run: Run): { readonly commands: string; readonly environments: string; count: number } {
  const found = { commands: "", environments: "", count: 0 };
  const textOf = (path: string) => readOfRunning(() => readFileSync(path, "utf8"), "");
  const parents = [String(run.child.pid)];
  for (let parent = parents.shift(); parent !== undefined; parent = parents.shift()) {
    const tasks = `/proc/${parent}/task`;
    for (const task of readOfRunning(() => readdirSync(tasks), [])) {
      const children = textOf(`${tasks}/${task}/children`).trim();
      for (const child of children === "" ? [] : children.split(" ")) {
        found.commands += textOf(`/proc/${child}/cmdline`);
        found.environments += textOf(`/proc/${child}/environ`);
        found.count += 1;
        parents.push(child);
      }
    }
  }
  return found;
}

test.runIf(process.platform === "linux")(
  "no key is in the command line or the environment of a child, under whatever name",
  async () => {
    const place = secretPlace();
    server.use({
      turns: [
        { calls: [bash("touch started; until [ -e looked ]; do sleep 0.05; done")] },
        { text: "Done." },
      ],
    });
    const disguised = { CC: keys.wire, LC_ALL: keys.token, GOFLAGS: `-x=${keys.file}` };
    const session = await start(["-p", ...argumentsFor(server), "--answer", "once", "go"], {
      place,
      env: { ...environment, ...disguised },
    });
    while (!existsSync(join(place.workspace, "started"))) await sleep(50);
    const { commands, environments, count } = descendants(session);
    expect(count).toBeGreaterThan(0);
    expect(commands).toContain("sleep");
    expect(environments).toContain("HOME=");
    expect(leaksOf(commands)).toEqual([]);
    expect(leaksOf(environments)).toEqual([]);
    writeFileSync(join(place.workspace, "looked"), "");
    await session.ended;
  },
);

const commands: string[][] = [
  ["config", "show"],
  ["config", "show", "--json"],
  ["models"],
  ["models", "--json"],
  ["audit"],
  ["policy", "list"],
];
test.each(commands)("localharness %s %s shows no key", async (...args) => {
  const ended = await run(args.filter(Boolean), { place: secretPlace(), env: environment });
  expect(ended.stdout + ended.stderr).not.toBe("");
  expect(leaksOf(ended.stdout + ended.stderr)).toEqual([]);
});

test.each(["models", "models --json", "config show", "config show --json", "-p hi"])(
  "localharness %s shows an address without its password",
  async (args) => {
    server.use({ turns: [{ text: "Done." }] });
    const address = server.baseUrl.replace("//", "//me:hunter2@");
    const ended = await run([...args.split(" "), "--base-url", address]);
    expect(ended.code).toBe(0);
    expect(ended.stdout + ended.stderr).toMatch(/http:\/\/(\*+@)?127\.0\.0\.1:\d+\/v1/);
    expect(ended.stdout + ended.stderr).not.toContain("hunter2");
  },
);
