/** An answer can be remembered only if all files that a command runs by name can be compared. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Bench } from "../bench.ts";
import { examinedIn, factsOf, prepared } from "./examined.ts";

describe("what cannot be compared is asked about each time", () => {
  async function withScripts(): Promise<Bench> {
    const bench = await prepared();
    for (const path of ["build.js", "tool/__main__.py", "sub/Makefile", "main.go", "x.py", "Main.java"])
      bench.write(path, "x\n");
    bench.write("open.mk", "include parts/*.mk\n");
    bench.write("mono/package.json", '{"workspaces":["p/*"],"scripts":{"test":"true"}}');
    return bench;
  }

  test.each([
    ...[
      "node build",
      "node .",
      "node sub/",
      "node --watch build",
      "node --env-file a.txt build",
      "tsx build",
    ],
    ...["bun build.j", "bun run nothing", "nodemon", "npx tsx build", "python3 tool", "python3 -E tool"],
    ...[
      "python3 -W ignore tool",
      "uv run tool",
      "make -C sub",
      "make -Csub",
      "make --directory=sub",
      "make -I sub",
    ],
    ...["npm test --workspaces", "npm test -ws", "npm --workspaces test", "yarn workspaces run test"],
    ...["yarn workspace a test", "pnpm --filter a test", "turbo run test", "cd mono && npm ci", "go run ."],
    ...["go run ./cmd", "go generate ./...", "java Main", "cmake --build out", "gradle -p sub test"],
    ...["make -f open.mk", "cargo test --manifest-path sub/Cargo.toml", "timeout 5 node build"],
    ...["X=x; bash $X.sh", "bash *.sh", 'python3 -c "$(cat x.py)"', "for f in *.sh; do bash -e $f; done"],
    ...["find . -name '*.sh' -exec bash {} \\;", "ls | xargs -I{} {}", "bash -c 'bash $X'", "python3 ~+"],
    ...["terraform apply", "lage build"],
    ...["make -kC sub", "make -sI sub", "make --direc=sub", "make --inc sub", "make -f - < a.txt"],
    ...[
      "cat a.txt | make -kf-",
      "make --file=/dev/stdin < a.txt",
      "sed -f - a.txt < x.py",
      "awk -f/dev/fd/0",
    ],
    ...[
      "bash /proc/self/fd/0 < a.txt",
      "cat a.txt | tcsh",
      "cat a.txt | parallel",
      "parallel -a a.txt",
      "parallel :::: a.txt",
    ],
    ...[
      "curl -s y | bash -euo pipefail",
      "curl y | bash -O extglob",
      "curl y | python3 - a",
      "curl y | node -",
    ],
    ...[
      "curl y | python3 -W ignore",
      "curl y | python3 -i build.js a",
      "curl y | perl - x",
      "curl y | ruby -r json",
    ],
    ...[
      "curl y | perl -I sub",
      "curl y | php -d a",
      "curl y | lua -l json",
      "curl y | node -r fs",
      "curl y | node -p",
    ],
    ...[
      "curl y | deno run -",
      "curl y | uv run -",
      "curl y | xargs -0 python3 -c",
      "curl y | osascript -l x",
    ],
    ...["curl y | python3 -v", "curl y | python3 --", "curl y | Rscript --vanilla", "curl y | xargs sh -c"],
    ...["node --test $(curl y)", "node --test *.js", "python3 -m pytest $(curl y)", "curl y | xargs -0 awk"],
    ...["curl y | python3 -iu build.js a", "curl y | python3 -ic pass build.js", "curl y | xargs -0 sed -n"],
    ...["ls | xargs -I% sed s/%/x/e a.txt", "ls | xargs timeout 5 gawk", "parallel bash -c :::: a.txt"],
    ...["curl y | deno run --allow-net -", "uv run - < a.txt"],
    ...["ls | xargs -I% bash -c %", "ls | xargs -iX sh -c 'cat X'", "ls | xargs --replace sh -c 'cat {}'"],
    ...["ls | xargs -I % %", "xargs -a a.txt -I% ./% x", "ls | xargs -I{} sudo bash -c 'cat {}'"],
    ...["PATH=./bin:$PATH npm test", "PATH=bin npm test", "export PATH=$PWD; npm test", "LD_PRELOAD=./x ls"],
    ...["NODE_OPTIONS=-rx npm test", "BASH_ENV=x bash -c true", "X=./y npm test", "declare -x X=~/y; make"],
    ...["GIT_SSH_COMMAND=x git fetch", "EDITOR=x git commit", "npm_config_prefix=x npm test"],
    ...["for PATH in ./bin; do ls; done", "select PATH in bin; do ls; done", "read -r PATH < a.txt; ls"],
    ...[
      "while read -raPATH; do ls; done < a.txt",
      "N=PATH; read $N < a.txt; ls",
      "let PATH=1; ls",
      "unset PATH; ls",
    ],
    ...["((PATH=1)); ls", "echo $((PATH=2)); ls", `: \${PATH:=bin}; ls`, "mapfile PATH < a.txt; ls"],
    ...["if PYTHONPATH=a python3 x.py; then ls; fi", "python3 /dev/stdin", "python3 ../outside"],
  ])("%s", async (text) => {
    expect((await factsOf(await withScripts(), text)).rememberable).toBe(false);
  });

  test.each([
    ...[
      "node build.js",
      "node ./build.js build",
      "node --watch build.js x",
      "node -e 1 x",
      "node --test tests",
    ],
    ...[
      "node --run test",
      "tsx build.js",
      "bun test",
      "bun run test",
      "python3 x.py tool",
      "python3 -m pytest tool",
    ],
    ...["uv run x.py", "uv run pytest tool", "go run main.go", "go test ./...", "java Main.java", "make sub"],
    ...["npm test -- -w", "cd mono && npm test", "npm ci", "npx vitest run"],
    ...[
      "NODE_ENV=test npm test",
      "CI=1 npx vitest run",
      "OUT=$(npm test); echo $OUT",
      "awk '{print $1}' a > b",
    ],
    ...["make -kj4", "ls | xargs -I% cat %", "ls | xargs -I% sh -c 'cat a.txt' _ %", "parallel echo ::: a b"],
    ...["sed -nf x.py a.txt", "grep -f - a.txt", "cat a.txt | tar -cf - b"],
    ...[
      "bash -euo pipefail x.sh",
      "python3 -bu x.py",
      "python3 -X dev x.py",
      "perl -w x.pl",
      "perl -Ilib x.pl a",
    ],
    ...["perl -pi -e s/a/b/ a.txt", "ruby -ne 'puts 1' a.txt", "php -r 'echo 1;'", "lua x.lua", "python3 -V"],
    ...[
      "Rscript --vanilla x.R",
      "ruby -W0 -rjson x.rb",
      "deno run --allow-net x.ts",
      "node -v",
      "java -cp y Main.java",
    ],
    ...["for i in 1 2; do node build.js $i; done", "python3 -c 'print({1})'", "npm test > out.txt"],
    ...["node --trace-deprecation build.js", "node --experimental-transform-types build.js"],
    ...[
      "node --check build.js x",
      "guile -s x.scm",
      "deno run x.ts -",
      "ls | xargs sed -n 1p",
      "ls | xargs awk 1",
    ],
    ...["while read -r x; do echo $x; done < a.txt", "cd sub && echo $PATH", `echo \${PATH:-a} \${#PATH}`],
  ])("%s may last", async (text) => {
    expect((await factsOf(await withScripts(), text)).rememberable).toBe(true);
  });

  test.each([
    ...["bash ../outside/x.sh", "../outside/x.sh", "OUT/x.sh", "bash OUT/x.sh", "python3 OUT/x.sh"],
    ...["./link/x.sh", "bash link/x.sh", "cd sub && bash ../../outside/x.sh", "make -f OUT/x.sh"],
    ...[
      "./x.sh",
      "rsync -e ./x.sh a b",
      "git bisect run ./x.sh",
      "git rebase -x 'bash x.sh' main",
      "entr ./x.sh",
    ],
    ...["alias ls=./x.sh; ls", "trap 'bash x.sh' EXIT", "hash -p ./x.sh ls; ls", "tar -I./x.sh -xf a"],
    ...["git -c alias.x='!bash x.sh' x", "git submodule foreach ./x.sh", "coproc ./x.sh", "any --hook=x.sh"],
  ])("a script, wherever it lies: %s", async (template) => {
    const bench = await withScripts();
    const text = template.replace("OUT", bench.outside);
    const scripts = [join(bench.root, "x.sh"), join(bench.outside, "x.sh")];
    for (const path of scripts) writeFileSync(path, "true\n", { mode: 0o755 });
    const before = await factsOf(bench, text);
    expect((await factsOf(bench, text)).scope).toBe(before.scope);
    for (const path of scripts) writeFileSync(path, "exit 1\n");
    expect((await factsOf(bench, text)).scope).not.toBe(before.scope);
  });

  test.each([
    ...["bats x.txt", "gdb -x x.txt a", "emacs --script x.txt", "vim -S x.txt", "psql -f x.txt", "m4 x.txt"],
    ...["ansible-playbook x.txt", "bash x.txt", "trap 'bash x.txt' EXIT"],
  ])("a script that is no executable file: %s", async (text) => {
    const bench = await withScripts();
    bench.write("x.txt", "1\n");
    const before = await factsOf(bench, text);
    bench.write("x.txt", "2\n");
    expect((await factsOf(bench, text)).scope).not.toBe(before.scope);
  });

  test.each<[string, string]>([
    ...[
      ...["make -kf x.txt", "make -skfx.txt all", "make --fil=x.txt", "make --makef x.txt", "gmake -kfx.txt"],
      ...["sed -nf x.txt a.txt", "sed -nfx.txt a.txt", "gawk --include=x.txt 1", "gawk --exec x.txt"],
      ...["node -r./x.txt -e 1", "node --experimental-loader=./x.txt build.js", "ruby -r./x.txt -e 1"],
    ].map((text): [string, string] => [text, "x.txt"]),
    ["node --env-file-if-exists=x.txt build.js", "x.txt"],
    ["python3 -um tool.run", "tool/run.py"],
    ["deno run --allow-net --allow-read --allow-env build.js", "build.js"],
    ["python3 -m tool.run", "tool/__init__.py"],
    ["make 'CC=bash x.txt'", "x.txt"],
    ["make -s MAKEFILES=x.txt", "x.txt"],
    ["npm install", "binding.gyp"],
    ["rake", "Rakefile.rb"],
    ["npx vitest run", "vitest.config.mts"],
    ["docker compose up", "compose.override.yaml"],
    ["make wide", "parts/one.inc"],
    ["make wide", "parts/two.inc"],
    ["make wide", "parts/three.inc"],
    ["make wide", "parts/deep.inc"],
    ["make -f x.txt", "parts/deep.inc"],
  ])("what runs by name, however it is named: %s runs %s", async (text, path) => {
    const bench = await withScripts();
    bench.write("Makefile", "include \\\n  parts/one.inc parts/two.inc\n\t-include parts/three.inc\nwide:\n");
    bench.write("parts/one.inc", "include parts/deep.inc\n");
    bench.write("x.txt", "include parts/deep.inc\n");
    const before = await factsOf(bench, text);
    expect(before.rememberable).toBe(true);
    bench.write(path, "other\n");
    expect((await factsOf(bench, text)).scope).not.toBe(before.scope);
  });

  test.each([
    ["node --test a.test.js b.test.js c.test.js", "c.test.js", "require('./lib.js')", "lib.js"],
    ["python3 -m pytest a.py b.py c.py d.py", "d.py", "import lib", "lib.py"],
    ["python3 -um pytest a.py b.py c.py d.py", "d.py", "import lib", "lib.py"],
  ])("%s holds as long as what %s loads stays", async (text, last, source, loaded) => {
    const bench = await withScripts();
    for (const path of text.split(" ").filter((word) => word.includes("."))) bench.write(path, "1\n");
    bench.write(last, source);
    bench.write(loaded, "1\n");
    const before = await factsOf(bench, text);
    expect((await factsOf(bench, text)).scope).toBe(before.scope);
    bench.write(loaded, "2\n");
    expect((await factsOf(bench, text)).scope).not.toBe(before.scope);
  });

  test("makefiles that include each other come to an end", async () => {
    const bench = await withScripts();
    bench.write("sub/Makefile", "include ./../loop.mk\n");
    bench.write("Makefile", "include ./loop.mk\n");
    bench.write("loop.mk", "include ./loop.mk sub/../loop.mk ./Makefile\n");
    expect((await factsOf(bench, "make")).rememberable).toBe(true);
    expect((await factsOf(bench, "make", "sub")).rememberable).toBe(true);
  });

  test("what is named is compared", async () => {
    const bench = await withScripts();
    for (const path of ["node_modules/.bin/mytool", "server.js", "my.jar"]) bench.write(path, "x\n");
    const bin = join(bench.root, "node_modules/.bin");
    chmodSync(join(bin, "mytool"), 0o755);
    const calls: readonly (readonly [string, string])[] = [
      ["mytool", "node_modules/.bin/mytool"],
      ["npx mytool", "node_modules/.bin/mytool"],
      ["cd sub && npx mytool", "node_modules/.bin/mytool"],
      ["go run main.go", "main.go"],
      ["uv run x.py", "x.py"],
      ["java Main.java", "Main.java"],
      ["java -jar my.jar", "my.jar"],
      ["npm start", "server.js"],
      ["node --run test", "package.json"],
      ["make -fbuild.js", "build.js"],
    ];
    for (const [text, path] of calls) {
      const scopeOf = async () => (await examinedIn(bench, text, `${bin}:${process.env["PATH"]}`)).scope;
      const before = await scopeOf();
      bench.write(path, `{"scripts": {"test": "${text}"}}`);
      expect(await scopeOf(), text).not.toBe(before);
    }
  });

  describe("a program that is not in the table may run whatever it is given", () => {
    async function withFiles(): Promise<Bench> {
      const bench = await withScripts();
      for (const path of ["x.dc", "x.janet", "in.txt", "cat"]) bench.write(path, "1\n");
      return bench;
    }

    test.each([
      ...["frob x.dc", "dc x.dc", "janet x.janet", "frob -fx.dc", "frob --load=x.dc", "frob run x.dc"],
      ...["timeout 5 frob x.dc", "bash -c 'frob x.dc'", "cat x.dc | frob", "frob < x.dc", "frob @x.dc"],
      ...["xargs -r frob x.dc", "npx --yes frob x.dc", "find . -name x -exec frob x.dc ';'", "bc -q x.dc"],
      ...[
        "ROOT/cat x.dc",
        "/proc/self/cwd/cat x.dc",
        "sqlite3 in.txt < x.dc",
        "X=1 frob x.dc",
        "frob a b c d e f g h x.dc",
        "frob sub:x.dc",
        "./cat x.dc",
        "OUT/cat x.dc",
        "frob 2>err x.dc",
        ">a >b frob x.dc",
      ],
    ])("%s holds as long as the file stays", async (template) => {
      const bench = await withFiles();
      const text = template.replace("ROOT", bench.root).replace("OUT", bench.outside);
      const before = await factsOf(bench, text);
      expect((await factsOf(bench, text)).scope).toBe(before.scope);
      bench.write("x.dc", "2\n");
      bench.write("x.janet", "2\n");
      expect((await factsOf(bench, text)).scope).not.toBe(before.scope);
    });

    test.each([
      "frob x.dc",
      "dc x.dc",
      "janet x.janet",
      "frob --version",
      "frob 'a*b' x.dc",
      "xargs -0r cat x.dc",
    ])("%s may last", async (text) => {
      expect((await factsOf(await withFiles(), text)).rememberable).toBe(true);
    });

    test.each([
      ...["frob sub", "frob --out=sub x.dc", "frob .", "frob $X", "frob *.dc", "frob ../outside"],
      ...["ls | xargs frob", "ls | xargs -n 1 timeout 5 frob", "frob <(cat x.dc)", "./cat sub"],
      ...["proot -w sub frob x.dc", "systemd-run frob x.dc", "frob ~nobody/x.dc", "/tmp/cat sub"],
    ])("%s does not last", async (text) => {
      expect((await factsOf(await withFiles(), text)).rememberable).toBe(false);
    });

    test("a file that is not there yet is none that may come", async () => {
      const bench = await withFiles();
      const before = await factsOf(bench, "frob later.dc");
      bench.write("later.dc", "1\n");
      expect((await factsOf(bench, "frob later.dc")).scope).not.toBe(before.scope);
    });

    test("the person is told of the file", async () => {
      expect((await factsOf(await withFiles(), "frob x.dc")).covers).toBe(
        "exactly this command, as long as x.dc does not change: frob x.dc",
      );
    });
  });

  test("a command of which a part could not be made out does not last", async () => {
    for (const text of [
      "cat <> a.txt",
      "echo 'a",
      "bash -c 'cat <> a.txt'",
      "sh -c 'PATH=. npm test'",
      `git status \${x:=\`ls\`}`,
      ...["ls\n\\frob", "r\\\nm x", "\\ a/frob", "a]\\b", "!'a' b", "{a,b\n}", "9=x", "export A=1 >b PATH=."],
      ...[
        "x='$(frob x)'; ls",
        `x=y; echo \${x@P}`,
        "test -v 'a[$(ls)]'",
        "let 'a[$(ls)]'",
        "[[ 'a[$(ls)]' -eq 1 ]]",
      ],
    ])
      expect((await factsOf(await prepared(), text)).rememberable, text).toBe(false);
  });
});
