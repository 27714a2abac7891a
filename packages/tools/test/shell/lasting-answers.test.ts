/** An answer lasts only where all that a command runs by name can be compared. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { examineCommand } from "../../src/shell/examine-command.ts";
import { loadGrammar } from "../../src/shell/grammar.ts";
import type { Bench } from "../bench.ts";
import { factsOf, prepared } from "./examined.ts";

describe("what cannot be compared is asked about each time", () => {
  async function withScripts(): Promise<Bench> {
    const bench = await prepared();
    for (const path of ["build.js", "tool/__main__.py", "sub/Makefile", "main.go", "x.py", "Main.java"])
      bench.write(path, "x\n");
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
    ...["cargo test --manifest-path sub/Cargo.toml", "timeout 5 node build"],
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
  ])("%s may last", async (text) => {
    expect((await factsOf(await withScripts(), text)).rememberable).toBe(true);
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
      const scopeOf = async () => {
        const command = { text, folder: ".", searchPath: `${bin}:${process.env["PATH"]}` };
        return (await examineCommand(bench.resources.workspace, command, await loadGrammar())).scope;
      };
      const before = await scopeOf();
      bench.write(path, `{"scripts": {"test": "${text}"}}`);
      expect(await scopeOf(), text).not.toBe(before);
    }
  });
});
