/** Checks in the whole program that answers and waits end where the settings say, in plain words. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makePlace, type Place, removePlaces, run } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();
afterAll(removePlaces);

function ask(place: Place, env: Readonly<Record<string, string>>) {
  return run([...argumentsFor(server), "-p", "Go."], { place, env });
}

test("an answer is cut at limits.answer_characters, and the person is told", async () => {
  server.use({ turns: [{ text: "lorem ipsum ".repeat(1_000) }] });
  const place = makePlace();
  const { code, stdout, stderr } = await ask(place, { LOCALHARNESS_ANSWER_CHARACTERS: "5000" });
  expect(code).toBe(3);
  expect(stdout.trimEnd().length).toBeGreaterThan(4_900);
  expect(stdout.trimEnd().length).toBeLessThanOrEqual(5_000);
  expect(stderr).toContain("The answer became too long: it was cut there, and the request was ended.");
  expect(stderr).toContain("limits.answer_characters is 5000: raise it to read longer answers.");
});

test("the wait for the first token ends at limits.first_token_seconds", async () => {
  server.use({ turns: [{ text: "late", faults: [{ kind: "hold" }, { kind: "hold" }] }] });
  const { code, stderr } = await ask(makePlace(), { LOCALHARNESS_FIRST_TOKEN_SECONDS: "1" });
  expect(code).toBe(1);
  expect(stderr).toContain("sent no token within 1 s.");
});

test("a wait that a server asks for is not made when it is too long", async () => {
  const busy = { kind: "status", status: 429, headers: { "retry-after": "7200" } } as const;
  server.use({ turns: [{ text: "late", faults: [busy] }] });
  const { code, stderr } = await ask(makePlace(), {});
  expect(code).toBe(1);
  expect(stderr).toContain("The server asks to wait 120 min 0 s; at most 1 min 0 s are waited.");
});

test("calls beyond those that are taken are not in the session's file", async () => {
  const calls = Array.from({ length: 3_000 }, (_, index) => ({
    name: "read_file",
    arguments: { path: `missing-${index}.txt` },
  }));
  server.use({ turns: [{ calls }, { text: "done" }] });
  const place = makePlace();
  await ask(place, {});
  const files = readdirSync(place.home, { recursive: true, encoding: "utf8" });
  const sessions = files.filter((name) => name.includes("sessions") && name.endsWith(".jsonl"));
  const text = sessions.map((name) => readFileSync(join(place.home, name), "utf8")).join("");
  expect(text).toContain("missing-199.txt");
  expect(text).not.toContain("missing-200.txt");
  expect(text).toContain("Your answer held 3000 tool calls; only the first 200 were taken");
});

test("a thought that the prompt opened is no part of the answer, in this run and in the next", async () => {
  const place = makePlace();
  for (const _run of [1, 2]) {
    server.use({ turns: [{ text: "I should greet.\n</think>\n\nHello there." }] });
    const { code, stdout } = await ask(place, {});
    expect({ code, answer: stdout.trim() }).toEqual({ code: 0, answer: "Hello there." });
  }
  const files = readdirSync(place.home, { recursive: true, encoding: "utf8" });
  const kept = files.find((name) => name.endsWith("model-profiles.json")) ?? "";
  expect(readFileSync(join(place.home, kept), "utf8")).toContain("starts-in-thought");
});
