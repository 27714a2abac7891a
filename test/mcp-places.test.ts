/** Servers run no code of the workspace unasked: they start apart from it, or as they were allowed. */
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ScriptedTurn } from "../packages/models/test/fake-server/index.ts";
import { configure, makePlace, type Place, root, run } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const model = await serveModel();
const peerFile = join(root, "packages", "mcp", "test", "fixtures", "peer.ts");
const node = process.execPath;

/** A server that first writes its folder and its arguments to a file of the home folder. */
function serverText(mark: string): string {
  return `import { appendFileSync } from "node:fs";
appendFileSync(process.env.HOME + "/ran", JSON.stringify([${JSON.stringify(mark)}, process.cwd(), process.argv.slice(2)]) + "\\n");
await import(${JSON.stringify(peerFile)});
`;
}

function ran({
  home,
}: Place): readonly (readonly [mark: string, folder: string, words: readonly string[]])[] {
  const path = join(home, "ran");
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function placeWith(mcpServers: object, files: Readonly<Record<string, string>>, trusted = true): Place {
  const place = makePlace(files, trusted);
  configure(place, "mcp.json", JSON.stringify({ mcpServers }));
  configure(place, "config.json", JSON.stringify({ mcp_wait_seconds: 60 }));
  return place;
}

const echo: ScriptedTurn = { calls: [{ name: "s__echo", arguments: { text: "x" } as never }] };

async function say(place: Place, turns: readonly ScriptedTurn[] = [echo]) {
  model.use({ turns: [...turns, { text: "Done." }] });
  return run(["-p", ...argumentsFor(model), "--sandbox", "off", "--mode", "bypass", "go"], { place });
}

test("a server of the person starts apart from the folder, with the folder as its argument", async () => {
  const place = placeWith({}, { "package.json": "{}" });
  const program = join(place.home, "server.mjs");
  writeFileSync(program, serverText("own"));
  configure(
    place,
    "mcp.json",
    JSON.stringify({ mcpServers: { s: { command: node, args: [program, "."] } } }),
  );
  await say(place);
  const [[mark, folder, words] = []] = ran(place);
  expect([mark, words]).toEqual(["own", [place.workspace]]);
  expect(folder).toBe(join(place.home, ".local/state/localharness/servers"));
});

test.each([
  ["a script by a bare name", ["server.mjs"]],
  ["a module", ["-e", 'import("server")']],
])("a server of the person that names %s runs nothing of the folder, trusted or not", async (_, args) => {
  for (const trusted of [true, false]) {
    const files = {
      "server.mjs": serverText("planted"),
      "node_modules/server/index.mjs": serverText("planted"),
    };
    const place = placeWith({ s: { command: node, args } }, files, trusted);
    await say(place, []);
    expect(ran(place)).toEqual([]);
  }
});

describe("a server that runs a file of the folder", () => {
  const edit: ScriptedTurn = {
    calls: [
      { name: "write_file", arguments: { path: "server.mjs", content: serverText("edited") } as never },
    ],
  };
  const exit: ScriptedTurn = { calls: [{ name: "s__exit", arguments: {} as never }] };

  test.each([
    ["of the person", false],
    ["of the project", true],
  ])("%s starts only as it was allowed, also again in the same session", async (_, ofProject) => {
    const servers = { s: { command: node, args: [ofProject ? "server.mjs" : "./server.mjs"] } };
    const files = { "server.mjs": serverText("as allowed") };
    const own = JSON.stringify({ mcpServers: servers });
    const place = placeWith(ofProject ? {} : servers, ofProject ? { ...files, ".mcp.json": own } : files);
    const before = await say(place, []);
    expect(before.stderr).toMatch(/localharness mcp allow/);
    expect(ran(place)).toEqual([]);
    const allowed = await run(["mcp", "allow", "s"], { place, stdin: "y\n" });
    expect(allowed.stdout).toContain("as long as its entry and these files are the same?");
    await say(place, [echo, edit, exit, echo]);
    expect(ran(place).map(([mark, folder]) => [mark, folder])).toEqual([["as allowed", place.workspace]]);
    const after = await say(place, [echo]);
    expect(after.stderr).toMatch(/localharness mcp allow/);
    expect(ran(place)).toHaveLength(1);
  });
});

test("a server that npm cannot download says so within its start, and the package of that name in the folder does not run", async () => {
  const entry = {
    command: "npx",
    args: ["-y", "acme-files", "."],
    env: { npm_config_registry: "http://127.0.0.1:9/" },
  };
  const package_ = { name: "acme-files", version: "1.0.0", bin: { "acme-files": "x.mjs" } };
  const place = placeWith(
    { s: entry },
    {
      "package.json": "{}",
      "node_modules/acme-files/package.json": JSON.stringify(package_),
      "node_modules/acme-files/x.mjs": `#!/usr/bin/env node\n${serverText("planted")}`,
      "node_modules/.bin/acme-files": "",
    },
  );
  rmSync(join(place.workspace, "node_modules/.bin/acme-files"));
  chmodSync(join(place.workspace, "node_modules/acme-files/x.mjs"), 0o755);
  symlinkSync("../acme-files/x.mjs", join(place.workspace, "node_modules/.bin/acme-files"));
  const tested = await run(["mcp", "test", "s"], { place });
  expect(tested.stdout).toMatch(/^s failed: it ended with exit code 1; /);
  expect(ran(place)).toEqual([]);
});
