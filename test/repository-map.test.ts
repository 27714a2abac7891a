/** Checks in the whole program which sessions get a map of the repository in their prompt. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makePlace, type Place, removePlaces, run } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

afterAll(removePlaces);

const server = await serveModel();

const sources = {
  "src/base.ts": "export function openDoor() {}\n",
  "src/one.ts": 'import { openDoor } from "./base.ts";\nopenDoor();\n',
};

/** Returns the system prompts of a session with two turns' requests. */
async function prompts(
  place: Place,
  setting: string,
  ...more: readonly string[]
): Promise<readonly string[]> {
  server.use({
    turns: [{ calls: [{ name: "ls", arguments: {} }] }, { text: "Done." }],
  });
  const env = { LOCALHARNESS_REPOSITORY_MAP: setting };
  const ended = await run(["-p", "--trust", ...argumentsFor(server), ...more, "look"], { place, env });
  expect({ code: ended.code, stderr: ended.code === 0 ? "" : ended.stderr }).toEqual({ code: 0, stderr: "" });
  return server.chats.map(({ body }) => {
    const [system] = JSON.parse(JSON.stringify(body?.["messages"] ?? []));
    return String(system?.content);
  });
}

const map = "<map>\nsrc/base.ts: openDoor 1\n</map>\n";

test("only an indexed folder with the setting gets a map, which stays the same during the session", async () => {
  const place = makePlace(sources);
  expect((await prompts(place, "on")).some((prompt) => prompt.includes("<map>"))).toBe(false);
  expect((await run(["index", "build"], { place })).code).toBe(0);
  const [first, second] = await prompts(place, "on");
  expect(first).toContain(map);
  expect(second).toBe(first);
  expect((await prompts(place, "off")).some((prompt) => prompt.includes("<map>"))).toBe(false);
});

test("no map is drawn while a rule keeps the model from paths", async () => {
  const place = makePlace(sources);
  expect((await run(["index", "build"], { place })).code).toBe(0);
  const folder = join(place.home, ".config", "localharness");
  mkdirSync(folder, { recursive: true });
  const rule = { id: "no-base", decision: "deny", path: "src/base.ts", justification: "secret" };
  writeFileSync(join(folder, "policies.json"), JSON.stringify({ version: 1, rules: [rule] }));
  expect((await prompts(place, "on")).some((prompt) => prompt.includes("openDoor"))).toBe(false);
});
