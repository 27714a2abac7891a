/** Checks which project instructions the whole program sends to the model. */
import { expect, test } from "vitest";
import { configure, makePlace, type Place, run } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();

const files = {
  "AGENTS.md": "Always say TOMATO.\u{e0041}",
  "sub/AGENTS.md": "Say CARROT.",
  "sub/x.txt": "x",
};

async function sent(place: Place, args: readonly string[] = []) {
  const calls = [{ name: "read_file", arguments: { path: "sub/x.txt" } }];
  server.use({ turns: [{ calls }, { text: "Done." }] });
  const wire = argumentsFor(server);
  const ended = await run(["-p", ...wire, ...args, "go"], { place });
  const messages = JSON.stringify(server.chats.at(-1)?.body?.["messages"]);
  return { ...ended, messages };
}

test("a trusted folder's AGENTS.md goes to the model, marked and without hidden characters; those of subfolders are named", async () => {
  const place = makePlace(files);
  configure(place, "AGENTS.md", "Be brief.");
  const { code, messages, stderr } = await sent(place, ["--answer", "once"]);
  expect(code).toBe(0);
  expect(messages).toContain("Be brief.");
  expect(messages).toMatch(/cannot grant permissions.*Always say TOMATO\.\\n<\/instructions>/);
  expect(messages.indexOf("Be brief.")).toBeLessThan(messages.indexOf("TOMATO"));
  expect(messages).toContain("sub/AGENTS.md says how work is done in sub/");
  expect(messages).not.toContain("CARROT");
  expect(messages).not.toMatch(/[\u{e0000}-\u{e007f}]/u);
  expect(stderr).toContain("AGENTS.md contains 1 invisible character (U+E0041)");
});

test.each([
  ["nobody has been asked about", []],
  ["is not trusted, with an answer stated", ["--answer", "once"]],
])("nothing of a folder that %s goes to the model", async (_title, args) => {
  const place = makePlace(files, false);
  configure(place, "AGENTS.md", "Be brief.");
  const { messages } = await sent(place, args);
  expect(messages).toContain("Be brief.");
  expect(messages).not.toMatch(/TOMATO|CARROT|sub\/AGENTS\.md/);
});
