/**
 * Creates commands, takes an answer to each as remembered, and then changes a file of the workspace. If the answer still
 * holds, the command really runs, and the changed file must not run with it.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Judge } from "./judge.ts";
import type { Random } from "./random.ts";

const files: Readonly<Record<string, string>> = {
  "f.txt": "echo one\n",
  "g.txt": "echo two\n",
  "x.py": "import helper, json\nfrom pkg import part\n",
  "run.py": 'import subprocess\nsubprocess.run(["bash", "tool.sh"])\n',
  "helper.py": "import deep\n",
  "deep.py": "x = 1\n",
  "pkg/__init__.py": "from .near import y\n",
  "pkg/near.py": "y = 1\n",
  "pkg/part.py": "z = 1\n",
  "x.js": 'require("./lib/a");\nrequire("left");\n',
  "y.mjs": 'import "./lib/b.mjs";\n',
  "lib/a.js": 'require("child_process").execSync("bash tool.sh");\n',
  "lib/b.mjs": "export const b = 1;\n",
  "node_modules/left/package.json": '{"main":"main.js"}',
  "node_modules/left/main.js": "\n",
  "tool.sh": "#!/bin/bash\n. ./part.sh\npython3 gen.py\n",
  "part.sh": "true\n",
  "gen.py": "x = 1\n",
  "x.pl": 'use lib ".";\nuse Own;\nrequire "./more.pl";\n',
  "Own.pm": "1;\n",
  "more.pl": "1;\n",
  Makefile: "include own.mk\ncheck:\n\tbash part.sh\nmake-js:\n\tnode t.js\n",
  "own.mk": "X = 1\n",
  "package.json": '{"scripts":{"test":"node t.js","pretest":"bash part.sh","check":"npm run -s test"}}',
  "t.js": "\n",
  "data.json": "{}\n",
};

/** Names that programs load if they are there. */
const newFiles = [
  ...[
    "json.py",
    "argparse.py",
    "re.py",
    "sitecustomize.py",
    "usercustomize.py",
    "json/__init__.py",
    "helper/__init__.py",
  ],
  ...[
    "GNUmakefile",
    "makefile",
    "lib/a",
    "lib/a.json",
    "left.js",
    "x.txt",
    "tool",
    "Own/Mod.pm",
    ".npmrc",
    "pkg/json.py",
  ],
  ...["node_modules/left/index.js", "node_modules/.bin/cat", "conftest.py", "pkg.py", "part.py"],
] as const;

const changed: readonly [string, ...string[]] = ["f.txt", ...Object.keys(files), ...newFiles];

const sources = [
  ...[
    "cat FILE |",
    "cat FILE FILE |",
    "cat *.txt |",
    "head -n 1 FILE |",
    "sort FILE | uniq |",
    "grep -h e FILE |",
  ],
  ...[
    "cat < FILE |",
    "ls |",
    "find . -name '*.txt' |",
    "cat f.txt | tail -n 1 |",
    "printf 'true\\n' |",
    "sed -n 1,2p FILE |",
  ],
] as const;
const redirections = [
  "< FILE",
  "0< FILE",
  "0<> FILE",
  "<> FILE",
  '<<< "$(cat FILE)"',
  "<<< `cat FILE`",
  "<<< true",
] as const;
const interpreters = [
  ...[
    "awk '{system($0)}'",
    `awk '{ print | "sh" }'`,
    "perl -ne 'system $_'",
    "perl -e 'eval { system <STDIN> }'",
  ],
  ...["sed e", "sed -n '1e'", "sed 's/echo/echo/e'", "python3 -c 'import os; os.system(input())'"],
  ...[
    "node -e 'require(`child_process`).execSync(require(`fs`).readFileSync(0))'",
    "awk '{print $1}'",
    "wc -l",
  ],
] as const;
const programs = [
  ...[
    "python3 x.py",
    "python3 run.py",
    "python3 -m json.tool data.json",
    "python3 -m pkg.part",
    "python3 -c 'import json'",
  ],
  ...[
    "python3 -c 'import helper'",
    `python3 -c 'exec(open("FILE").read())'`,
    "python3 -m json.tool FILE",
    "python3 -B x.py FILE",
  ],
  ...[
    "node x.js",
    "node x",
    "node y.mjs",
    "node -e 'require(`./x`)'",
    "node -r ./x.js -e 1",
    "node --import ./y.mjs -e 1",
  ],
  ...[
    "bash tool.sh",
    "bash FILE",
    "sh -e FILE",
    "bash -c 'bash FILE'",
    "bash -c '. ./part.sh'",
    "perl x.pl",
    "perl FILE",
  ],
  ...[
    "make -s check",
    "make -s make-js",
    "make -sf FILE",
    "npm test",
    "npm run check",
    "npm t",
    "node --run test",
  ],
  ...[
    "awk -f FILE f.txt",
    "sed -nf FILE f.txt",
    "sed -i e FILE",
    "cp FILE part.sh && bash part.sh",
    "cat FILE > part.sh; sh part.sh",
  ],
  ...[
    "for f in FILE FILE; do awk '{system($0)}' \"$f\"; done",
    "X=FILE; python3 -c 'import os; os.system(open(\"FILE\").read())'",
  ],
  ...["git status", "ls -la", "cat FILE", "xargs -a FILE -n 2 env true", "find . -name FILE -exec sh {} ';'"],
] as const;
const wrappers = [
  ...[
    "LINE",
    "LINE",
    "LINE",
    "timeout 9 LINE",
    "true && LINE",
    "cd . && LINE",
    "cd pkg && cd .. && LINE",
    "(LINE)",
  ],
  ...["LINE | wc -l", "LINE > out.log", "if true; then LINE; fi", "LINE 2>&1", "nice LINE", "A=1 LINE"],
] as const;

/** Returns a command, which may name some of the files. */
function answerLine(random: Random): string {
  const kind = random.below(5);
  const line =
    kind === 0
      ? `${random.pick(sources)} ${random.pick(interpreters)}`
      : kind === 1
        ? `${random.pick(interpreters)} ${random.pick(redirections)}`
        : random.pick(programs);
  const names = Object.keys(files) as [string, ...string[]];
  const name = () => (random.chance(0.6) ? random.pick(["f.txt", "g.txt", "part.sh"]) : random.pick(names));
  return random
    .pick(wrappers)
    .replace("LINE", () => line)
    .replace(/FILE/g, () => `${random.chance(0.2) ? "./" : ""}${name()}`);
}

/** Returns a text for the file that creates the file `mark` when it runs. `.npmrc` makes `shell.sh` beside `mark` npm's shell. */
function harmful(path: string, mark: string): string {
  const command = `touch ${mark}`;
  const scripts = { test: command, check: command, pretest: command };
  if (path.endsWith("package.json")) return JSON.stringify({ main: "t.js", scripts });
  if (path === ".npmrc") return `script-shell=${join(dirname(mark), "shell.sh")}\n`;
  if (/akefile$|\.mk$/.test(path)) return `all check make-js:\n\t@${command}\n`;
  if (path.endsWith(".py")) return `open("${mark}", "w")\n`;
  if (path.endsWith(".mjs")) return `import fs from "node:fs"; fs.writeFileSync("${mark}", "");\n`;
  if (/\.js$|lib\/a$/.test(path)) return `require("fs").writeFileSync("${mark}", "");\n`;
  if (/\.p[lm]$/.test(path)) return `open(F, ">", "${mark}"); 1;\n`;
  return `${command}\n`;
}

export interface AnswerTally {
  /** The number of answers that still held after a change. */
  held: number;
  /** The number of commands that really ran. */
  ran: number;
  breaches: string[];
}

/** Creates the folder of the workspace, in which the lines run. */
export function answerFolder(): string {
  const folder = join(mkdtempSync(join(tmpdir(), "fuzz-answers-")), "ws");
  for (const [path, text] of Object.entries(files)) put(folder, path, text);
  return folder;
}

function put(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text, { mode: 0o755 });
}

/**
 * Creates and judges this many lines, each with one changed file, and runs a line if its answer still holds after the
 * change. The same line with the same file runs once.
 */
export async function fuzzAnswers(
  lines: number,
  random: Random,
  judge: Judge,
  folder: string,
): Promise<AnswerTally> {
  const tally: AnswerTally = { held: 0, ran: 0, breaches: [] };
  const known = new Set<string>();
  for (let count = 0; count < lines; count += 1) {
    const line = answerLine(random);
    const path = random.pick(changed);
    const before = await judge.answerScope(line);
    if (before === undefined) continue;
    const old = files[path];
    const mark = join(folder, "..", "PWNED");
    put(folder, path, harmful(path, mark));
    const holds = (await judge.answerScope(line)) === before;
    tally.held += holds ? 1 : 0;
    const isNew = holds && !known.has(`${line} ${path}`);
    known.add(`${line} ${path}`);
    if (isNew) {
      tally.ran += 1;
      const breach = `an answer to ${JSON.stringify(line)} outlived a change of ${path}`;
      if (runs(line, folder, mark)) tally.breaches.push(breach);
      restore(folder, path);
    } else if (old === undefined) {
      rmSync(join(folder, path));
    } else {
      put(folder, path, old);
    }
  }
  return tally;
}

/** Writes the shell of `harmful`. Throws when a change that certainly runs is missed: then the run proves nothing. */
export function checkRuns(folder: string): void {
  const mark = join(folder, "..", "PWNED");
  put(dirname(mark), "shell.sh", `#!/bin/sh\ntouch ${mark}\n`);
  for (const [line, path] of [
    ["bash part.sh", "part.sh"],
    ["python3 x.py", "deep.py"],
    ["node x.js", "lib/a.js"],
    ["cat f.txt | awk '{system($0)}'", "f.txt"],
    ["make check", "Makefile"],
    ["npm test", ".npmrc"],
  ] as const) {
    put(folder, path, harmful(path, mark));
    if (!runs(line, folder, mark)) throw new Error(`${line} runs ${path}, but the run was not seen`);
    restore(folder, path);
  }
}

/** Runs a line, and returns true if the changed file ran with it. */
function runs(line: string, folder: string, mark: string): boolean {
  rmSync(mark, { force: true });
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
  spawnSync("/bin/bash", ["--noprofile", "--norc", "-c", line], {
    cwd: folder,
    env,
    stdio: "ignore",
    timeout: 20_000,
  });
  return existsSync(mark);
}

/** Removes the changed file and what a run has made, and writes all files again. */
function restore(folder: string, path: string): void {
  rmSync(join(folder, path), { force: true });
  for (const name of ["helper", "json", "Own", "out.log", "node_modules/.bin", "node_modules/left/index.js"])
    rmSync(join(folder, name), { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    const at = join(folder, name);
    if (!existsSync(at) || readFileSync(at, "utf8") !== text) put(folder, name, text);
  }
}
