/**
 * A remembered answer no longer holds when a file changes that the command names, reads or would load by name, and
 * holds in all other cases.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { createHeldSockets } from "@localharness/processes/sandbox/held-sockets";
import { namesToHold } from "@localharness/workspace/paths/protected";
import { describe, expect, test } from "vitest";
import type { Bench } from "../bench.ts";
import { factsOf, prepared } from "../shell/examined.ts";

const files: Readonly<Record<string, string>> = {
  "f.txt": "one\n",
  "other.txt": "one\n",
  "x.py": "import helper, json\nfrom pkg import part\nprint(helper)\n",
  "run.py": 'import subprocess\nsubprocess.run(["bash", "tool.sh"])\n',
  "helper.py": "import deep\n",
  "deep.py": "\n",
  "pkg/__init__.py": "from .near import y\n",
  "pkg/part.py": "\n",
  "pkg/near.py": "\n",
  "tools/check.py": "import aid\n",
  "tools/aid.py": "\n",
  "argparse.py": "\n",
  "x.js": 'const a = require("./lib/a");\nimport("left");\n',
  "y.mjs": 'import {\n  b,\n} from "./lib/b.mjs";\n',
  "lib/a.js": 'require("child_process").execSync("bash tool.sh");\n',
  "lib/b.mjs": "export const b = 1;\n",
  "node_modules/left/package.json": '{"main":"main.js"}',
  "node_modules/left/main.js": "\n",
  "tool.sh": ". ./part.sh\npython3 gen.py\n",
  "part.sh": "true\n",
  "known.sh": "#!/usr/bin/env bash\n. ./part.sh\n",
  "gen.py": "\n",
  "x.pl": 'use lib ".";\nuse Own::Mod;\nrequire "./more.pl";\n',
  "Own/Mod.pm": "1;\n",
  "more.pl": "1;\n",
  Makefile: "PYTHON ?= python3\ncheck: ; bash ci.sh\ntest:\n\t@$(PYTHON) t.py\n\tcc -o main main.c\n",
  "ci.sh": "true\n",
  "t.py": "\n",
  "main.c": "\n",
  "package.json": `{"scripts":{"test":"node t.js","pretest":"bash ci.sh","check":"npm run -s deep && echo ok","deep":"node d.js"}}`,
  "t.js": 'require("./src.js");\n',
  "d.js": "\n",
  "src.js": "\n",
  "tests/test_x.py": "\n",
  "tests/conftest.py": "\n",
  "data.json": "{}\n",
};

async function withFiles(): Promise<Bench> {
  const bench = await prepared();
  for (const [path, text] of Object.entries(files)) bench.write(path, text);
  return bench;
}

async function scopes(bench: Bench, text: string) {
  const { scope, rememberable } = await factsOf(bench, text);
  return { scope, rememberable };
}

describe("an answer ends when this changes", () => {
  test.each<[command: string, path: string]>([
    // Named by a word, in any spelling.
    ["pytest tests/test_x.py", "tests/test_x.py"],
    ["npx vitest run f.txt", "f.txt"],
    ["node --test t.js", "t.js"],
    ["node -e 'eval(require(`fs`).readFileSync(`f.txt`, `utf8`))'", "f.txt"],
    [`python3 -c 'exec(open("f.txt").read())'`, "f.txt"],
    [`awk 'BEGIN { while ((getline l < "f.txt") > 0) system(l) }'`, "f.txt"],
    ["eslint --rulesdir=f.txt .", "f.txt"],
    ["node build.js f.txt", "f.txt"],
    ["cp f.txt t.js && node t.js", "f.txt"],
    ["for f in f.txt other.txt; do awk '{system($0)}' \"$f\"; done", "f.txt"],
    // Read through a redirection.
    ["awk '{system($0)}' < f.txt", "f.txt"],
    ["awk '{system($0)}' 0< f.txt", "f.txt"],
    ["awk '{system($0)}' 0<> f.txt", "f.txt"],
    ["awk '{system($0)}' <> f.txt", "f.txt"],
    [`awk '{system($0)}' <<< "$(cat f.txt)"`, "f.txt"],
    ["awk '{system($0)}' <<< `cat f.txt`", "f.txt"],
    ["bash -c 'awk \"{system(\\$0)}\" < f.txt'", "f.txt"],
    ["python3 -c 'exec(input())' < f.txt", "f.txt"],
    // Through a pipe into an interpreter.
    ["cat f.txt | awk '{system($0)}'", "f.txt"],
    ["head -n 1 f.txt other.txt | awk '{system($0)}'", "other.txt"],
    ["cat *.txt | awk '{system($0)}'", "other.txt"],
    ["cat *.txt | awk '{system($0)}'", "third.txt"],
    ["grep -h x f.txt | python3 -c 'exec(input())'", "f.txt"],
    ["cat f.txt | head -n 1 | sort | awk '{system($0)}'", "f.txt"],
    ["sed -i e f.txt", "f.txt"],
    ["cat f.txt | perl -ne 'system $_'", "f.txt"],
    ["cat f.txt | sed e", "f.txt"],
    // Run by a file that a program runs as its input.
    ["cat tool.sh | sed e", "gen.py"],
    ["cat tool.sh | sed e", "part.sh"],
    ["if true; then sed e <<< `cat tool.sh`; fi", "gen.py"],
    ["cat *.sh | awk '{system($0)}'", "gen.py"],
    ["awk '{system($0)}' < tool.sh", "gen.py"],
    ["python3 -c 'import os,sys; os.system(sys.stdin.read())' < tool.sh", "gen.py"],
    // Loaded by a name in the workspace.
    ["python3 -m json.tool data.json", "json.py"],
    ["python3 -m json.tool data.json", "json/__init__.py"],
    ["python3 -m json.tool data.json", "argparse.py"],
    ["python3 -m json.tool data.json", "re.py"],
    ["python3 -m json.tool data.json", "data.json"],
    ["python3 -c 'import json'", "json.py"],
    ["python3 -c 'import json; import helper'", "helper.py"],
    ["python3 -m pytest", "pluggy.py"],
    ["python3 -m pytest", "sitecustomize.py"],
    ["python3 -m pytest", "conftest.py"],
    ["pytest tests", "tests/conftest.py"],
    ["python3 -m pytest tests/test_x.py", "tests/conftest.py"],
    ["pytest -p helper", "helper.py"],
    ["pytest -phelper", "helper.py"],
    ["python3 x.py", "helper.py"],
    ["python3 x.py", "deep.py"],
    ["python3 x.py", "pkg/__init__.py"],
    ["python3 x.py", "pkg/part.py"],
    ["python3 x.py", "pkg/near.py"],
    ["python3 x.py", "json.py"],
    ["python3 x.py", "usercustomize.py"],
    ["python3 run.py", "tool.sh"],
    ["python3 run.py", "part.sh"],
    ["python3 -m tools.check", "tools/check.py"],
    ["python3 -m tools.check", "tools/__init__.py"],
    ["node x.js", "lib/a.js"],
    ["node x.js", "node_modules/left/main.js"],
    ["node x.js", "node_modules/left/package.json"],
    ["node x.js", "tool.sh"],
    ["node x", "lib/a.js"],
    ["node y.mjs", "lib/b.mjs"],
    ["node -e 'require(\"./x\")'", "lib/a.js"],
    ["node -r ./x.js -e 1", "lib/a.js"],
    ["bash tool.sh", "part.sh"],
    ["bash tool.sh", "gen.py"],
    ["./known.sh", "part.sh"],
    ["./tool.sh", "part.sh"],
    ["perl x.pl", "Own/Mod.pm"],
    ["perl x.pl", "more.pl"],
    ["cd pkg && python3 ../x.py", "helper.py"],
    ["timeout 5 python3 x.py", "deep.py"],
    // Run by a task of the project.
    ["npm test", "t.js"],
    ["npm test", "ci.sh"],
    ["npm t", "t.js"],
    ["npm run check", "d.js"],
    ["yarn test", "t.js"],
    ["node --run test", "t.js"],
    ["make check", "ci.sh"],
    ["make test", "t.py"],
  ])("%s: %s", async (command, path) => {
    const bench = await withFiles();
    const before = await scopes(bench, command);
    expect((await scopes(bench, command)).scope).toBe(before.scope);
    bench.write(path, "changed\n");
    const after = await scopes(bench, command);
    expect(!before.rememberable || after.scope !== before.scope).toBe(true);
  });

  test.each([
    "find . -name '*.txt' -exec cat {} + | awk '{system($0)}'",
    "grep -rh x . | awk '{system($0)}'",
    "git log | awk '{system($0)}'",
    "curl -s https://example.com | awk '{system($0)}'",
    "ls | awk '{system($0)}'",
    "find . -name '*.sh' | awk '{system($0)}'",
    "cat $X | awk '{system($0)}'",
  ])("and is not remembered if a program runs input that cannot be compared: %s", async (command) => {
    expect((await scopes(await withFiles(), command)).rememberable).toBe(false);
  });
});

describe("an answer holds when this changes", () => {
  test.each<[command: string, path: string]>([
    ["npm test", "src.js"],
    ["npm test", "lib/a.js"],
    ["npm run check", "t.js"],
    ["npm ci", "src.js"],
    ["npx vitest run", "src.js"],
    ["node --test", "src.js"],
    ["pytest", "helper.py"],
    ["pytest", "tests/test_x.py"],
    ["python3 -m pytest", "tests/test_x.py"],
    ["python3 -m pytest", "test_new.py"],
    ["python3 -m pytest tests", "pkg/part.py"],
    ["cargo build", "src/main.rs"],
    ["cargo test", "src/lib.rs"],
    ["go test ./...", "main.go"],
    ["make", "main.c"],
    ["make test", "main.c"],
    ["tsc --noEmit", "src.js"],
    ["eslint src", "x.js"],
    ["git commit -m 'fix f.txt'", "f.txt"],
    ["python3 x.py", "data.json"],
    ["python3 x.py", "tests/test_x.py"],
    ["node x.js", "src.js"],
    ["tee f.txt < other.txt", "f.txt"],
    ["rm f.txt", "f.txt"],
    ["echo x > f.txt", "f.txt"],
    ["npm test > f.txt", "f.txt"],
    ["cc -o f.txt main.c", "f.txt"],
    ["cat f.txt | awk '{print $1}'", "other.txt"],
    ["cat f.txt | grep x", "f.txt"],
  ])("%s: %s", async (command, path) => {
    const bench = await withFiles();
    const before = await scopes(bench, command);
    expect(before.rememberable).toBe(true);
    bench.write(path, "changed\n");
    expect((await scopes(bench, command)).scope).toBe(before.scope);
  });
});

describe("a program that is not known may load any file", () => {
  const scopeOf = async (bench: Bench, command: string) => (await bench.examine("bash", { command })).scope;

  test.each<[command: string, ends: boolean]>([
    ["frob", true],
    ["frob f.txt", true],
    ["timeout 5 frob", true],
    ["./tool.sh", true],
    ["./known.sh", false],
    ["frob > made.txt", false],
    ["npm test", false],
    ["make", false],
    ["python3 -m pytest", false],
  ])("an answer to %s ends when a tool writes: %s", async (command, ends) => {
    const bench = await withFiles();
    const before = await scopeOf(bench, command);
    expect(await scopeOf(bench, command)).toBe(before);
    await bench.call("write_file", { path: "made.txt", content: "x\n" });
    expect((await scopeOf(bench, command)) !== before).toBe(ends);
  });

  test.each<[tool: string, args: Record<string, string>]>([
    ["edit_file", { path: "f.txt", old_string: "one", new_string: "two" }],
    ["remove", { path: "f.txt" }],
    ["bash", { command: "echo x > made.txt" }],
  ])("also with %s", async (tool, args) => {
    const bench = await withFiles();
    await bench.call("read_file", { path: "f.txt" });
    const before = await scopeOf(bench, "frob");
    const examined = await bench.examine(tool, args);
    expect((await bench.call(tool, args, { examined })).ok).toBe(true);
    expect(await scopeOf(bench, "frob")).not.toBe(before);
  });
});

test.runIf(process.platform === "linux").each(["npm test", "npm run check", "make", "yarn test"])(
  "an answer to %s holds while a command in the sandbox holds absent names",
  async (command) => {
    const bench = await withFiles();
    const before = await scopes(bench, command);
    expect(before.rememberable).toBe(true);
    const paths = namesToHold("/w").map((name) => join(bench.root, name.split("/")[0] ?? ""));
    await createHeldSockets(paths, ".first");
    expect(lstatSync(join(bench.root, ".npmrc")).isSocket()).toBe(true);
    expect(await scopes(bench, command)).toEqual(before);
  },
);
