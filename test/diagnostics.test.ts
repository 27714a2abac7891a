/** Checks in the whole program that the result of an edit has new errors of a real language server. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configure, makePlace, root, run } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();
const compiler = join(root, "node_modules/typescript/bin/tsc");

test.each([
  ["auto", /says tsgo:\na\.ts:1: Type 'number' is not assignable to type 'string'/],
  ["off", /replaced at line 1\.$/],
])("diagnostics %s", async (diagnostics, data) => {
  const place = makePlace({ "a.ts": "export const one: number = 1;\n", "tsconfig.json": "{}" });
  const bin = join(place.home, "..", "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "tsgo"), `#!/bin/sh\nexec '${process.execPath}' '${compiler}' "$@"\n`);
  chmodSync(join(bin, "tsgo"), 0o755);
  configure(place, "config.json", JSON.stringify({ diagnostics }));
  const edit = { path: "a.ts", old_string: ": number", new_string: ": string" };
  server.use({ turns: [{ calls: [{ name: "edit_file", arguments: edit }] }, { text: "Done." }] });
  const env = { PATH: `${bin}:${process.env["PATH"]}` };
  await run(["-p", ...argumentsFor(server), "--mode", "accept-edits", "go"], { place, env });
  const { messages = [] } = JSON.parse(JSON.stringify(server.chats.at(-1)?.body ?? {}));
  expect(JSON.parse(messages.at(-1)?.content).data).toMatch(data);
});
