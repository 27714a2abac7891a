/** An answer about a program that loads files by computed names ends when any file of the workspace changes. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { loadsComputed } from "@localharness/commands/shell/programs/computed-loads";
import { describe, expect, test } from "vitest";
import { factsOf, prepared } from "../shell/examined.ts";

describe("a text loads by a computed name", () => {
  test.each<[file: string, text: string]>([
    ["a.js", "require(name)"],
    ["a.js", "require('./pl' + x)"],
    ["a.js", `require(\`./\${x}\`)`],
    ["a.cjs", "const plugin = module.require(process.argv[2]);"],
    ["a.js", "const load = require;\nload('./' + x);"],
    ["a.mjs", "await import(new URL(x, import.meta.url))"],
    ["a.ts", "for (const f of files) await import(f);"],
    ["a.mjs", "const load = createRequire(import.meta.url);\nload(x);"],
    ["a.js", "eval(fs.readFileSync(f, 'utf8'))"],
    ["a.js", "new Function(text)()"],
    ["a.js", "vm.runInThisContext(code)"],
    ["a.js", "fork(path.join(__dirname, f))"],
    ["a.js", "execSync('bash ' + f)"],
    ["a.js", "cp.exec(command)"],
    ["a.js", "spawn('bash', [f])"],
    ["a.js", "spawnSync(process.execPath, [f])"],
    ["a.js", "process.env.PATH = dir + process.env.PATH"],
    ["a.py", "mod = importlib.import_module(sys.argv[1])"],
    ["a.py", "import_module(f'plugins.{n}')"],
    ["a.py", "__import__(name)"],
    ["a.py", "load = importlib.import_module\nload(x)"],
    ["a.py", "exec(open(f).read())"],
    ["a.py", "exec(compile(text, 'x', 'exec'))"],
    ["a.py", "runpy.run_path(p)"],
    ["a.py", "spec = importlib.util.spec_from_file_location(n, p)"],
    ["a.py", "sys.path.insert(0, here)"],
    ["a.py", "sys.path += [x]"],
    ["a.py", "os.system('sh ' + f)"],
    ["a.py", "subprocess.run(['python3', f])"],
    ["a.py", "subprocess.check_call(command)"],
    ["a.py", "subprocess.run([sys.executable, f])"],
    ["a.py", "os.environ['PATH'] = x"],
    ["a", "#!/usr/bin/env python3\nexec(open(f).read())"],
    ["a.rb", "Dir['lib/*.rb'].each { |f| require f }"],
    ["a.rb", "require File.join(dir, 'x')"],
    ["a.rb", "eval File.read(x)"],
    ["a.pl", "require $f;"],
    ["a.pl", "do $f;"],
    ["a.pl", "push @INC, $d;"],
    ["a.php", "include $file;"],
    ["a.php", "require_once __DIR__ . '/x.php';"],
    ["a.lua", "dofile(arg[1])"],
    ["a.lua", "package.path = './?.lua;' .. package.path"],
    ["a.R", "source(file.path(d, 'x.R'))"],
  ])("%s: %s", (file, text) => {
    expect(loadsComputed(text, { file })).toBe(true);
  });

  test.each<[file: string, text: string]>([
    ["a.js", "const a = require('./a.js');"],
    ["a.js", 'const { b } = require("./b"), c = require(`c`);'],
    ["a.mjs", "import x from './x.js'; await import('./y.js');"],
    ["a.mjs", "const require = createRequire(import.meta.url);\nrequire('./a.cjs');"],
    ["a.js", "const m = /x/.exec(line);"],
    ["a.js", "// require(name) loads it\nconst required = requires(x);"],
    ["a.js", "/* eval(x) */ const x = 1;"],
    ["a.js", "execSync('git status')"],
    ["a.js", "execFileSync('git', ['log', branch])"],
    ["a.js", "spawn('bash', ['run.sh', '-x'], { cwd })"],
    ["a.js", "new Worker(new URL('./worker.js', import.meta.url))"],
    ["a.js", "if (process.env.PATH === x) console.log(process.env.PATH);"],
    ["a.py", "from importlib import import_module\nimport_module('plugins.a')"],
    ["a.py", "import helper\nfrom pkg import part"],
    ["a.py", "subprocess.run(['git', 'log', branch])"],
    ["a.py", "subprocess.run(['bash', 'tool.sh'])"],
    ["a.py", "cursor.execute(query)\nmodel.eval()"],
    ["a.py", "print(sys.path)"],
    ["a.py", "# exec(open(f).read())\nx = 1"],
    ["a.rb", "require 'json'\nrequire_relative \"lib/a\"\nload 'x.rb'"],
    ["a.pl", "use strict; require Foo::Bar; require './x.pl'; do { 1 };"],
    ["a.php", "<?php require 'x.php'; include('y.php');"],
    ["a.lua", "local x = require('x')\ndofile('y.lua')"],
    ["a.txt", "require(name)"],
  ])("but not here: %s: %s", (file, text) => {
    expect(loadsComputed(text, { file })).toBe(false);
  });
});

const scripts: Readonly<Record<string, string>> = {
  "sourced.sh": '. "$(dirname "$0")/lib.sh"\n',
  "looped.sh": 'for part in parts/*.sh; do source "$part"; done\n',
  "piped.sh": "cat list.txt | bash\n",
  "fed.sh": "bash < list.txt\n",
  "stdin.sh": "python3 - < list.txt\n",
  "many.sh": "ls parts/*.sh | xargs -n1 bash\n",
  "each.sh": "ls parts | xargs -I% bash parts/%\n",
  "found.sh": "find parts -name '*.sh' -exec bash {} \\;\n",
  "path.sh": "export PATH=$PWD/bin:$PATH\ntool\n",
  "there.sh": 'cd "$(dirname "$0")"\n. ./lib.sh\n',
  "chosen.sh": 'RUN=./lib.sh\n"$RUN"\n',
  "evaluated.sh": 'eval "$(cat list.txt)"\n',
  "substituted.sh": "source <(cat list.txt)\n",
  "copied.sh": "cp list.txt made.sh\nsh made.sh\n",
  "printed.sh": "cat list.txt > made.sh; bash ./made.sh\n",
  "device.sh": ". /dev/stdin < list.txt\n",
  "inline.sh": "python3 -c 'import runpy; runpy.run_path(input())'\n",
  "prefix.sh": 'npm --prefix "$WHERE" test\n',
  "started.sh": 'wrapping bash "$X"\n',
  "outer.sh": "bash sourced.sh\n. ./sourced.sh\n",
  "computed.py": "import importlib, sys\nimportlib.import_module('li' + 'st')\n",
  "deeper.js": "require('./inner.js');\n",
  "inner.js": "require('./' + process.env.X);\n",
  "computed.mk": "test:\n\tfor f in parts/*.sh; do sh $$f; done\n",
  "sub/package.json": '{"scripts":{"test":"cat ../list.txt | sh"}}',
  "plain.sh": '. ./lib.sh\necho "$HOME" && grep -c x list.txt > out.txt\nfor i in 1 2; do echo $i; done\n',
  "within.sh": "cd parts && . ./a.sh\n",
  "arguments.sh": 'python3 -m pytest "$@"\n',
  "lib.sh": "true\n",
  "list.txt": "true\n",
  "parts/a.sh": "true\n",
  "other/far.txt": "x\n",
};

async function withScripts() {
  const bench = await prepared();
  for (const [path, text] of Object.entries(scripts)) bench.write(path, text);
  return bench;
}

async function scopeOf(bench: Awaited<ReturnType<typeof withScripts>>, command: string) {
  const { scope, rememberable } = await factsOf(bench, command);
  return rememberable === true ? scope : undefined;
}

describe("an answer ends with any change of the workspace", () => {
  const computed = Object.keys(scripts).slice(0, 20);
  const commands = [
    ...computed.map((name) => `bash ${name}`),
    ...[
      "python3 computed.py",
      "node deeper.js",
      "node -e 'require(process.argv[1])' x",
      "make -f computed.mk",
    ],
    "python3 -c 'import sys; exec(sys.argv[1])' x",
  ];

  test.each(commands)("%s", async (command) => {
    const bench = await withScripts();
    const before = await scopeOf(bench, command);
    expect(await scopeOf(bench, command)).toBe(before);
    for (const path of ["other/far.txt", "parts/new.sh"]) {
      bench.write(path, "changed\n");
      const after = await scopeOf(bench, command);
      expect(after === undefined || after !== before).toBe(true);
    }
    bench.write("other/far.txt", "x\n");
    rmSync(join(bench.root, "parts/new.sh"));
    expect(await scopeOf(bench, command)).toBe(before);
  });

  test.each<[command: string, ends: string]>([
    ["bash plain.sh", "lib.sh"],
    ["bash within.sh", "parts/a.sh"],
  ])("but with literal names only with those files: %s", async (command, ends) => {
    const bench = await withScripts();
    const before = await scopeOf(bench, command);
    expect(before).toBeDefined();
    bench.write("other/far.txt", "changed\n");
    expect(await scopeOf(bench, command)).toBe(before);
    bench.write(ends, "changed\n");
    expect(await scopeOf(bench, command)).not.toBe(before);
  });

  test("and the arguments of the script itself are no computed names", async () => {
    const bench = await withScripts();
    const before = await scopeOf(bench, "bash arguments.sh");
    bench.write("other/far.txt", "changed\n");
    expect([before !== undefined, await scopeOf(bench, "bash arguments.sh")]).toEqual([true, before]);
  });

  test("and covers one call in a workspace that is too large", async () => {
    const bench = await withScripts();
    for (let at = 0; at <= 2_000; at += 1) bench.write(`many/${at}.txt`, "");
    expect(await scopeOf(bench, "bash sourced.sh")).toBeUndefined();
    expect(await scopeOf(bench, "bash plain.sh")).toBeDefined();
  });
});
