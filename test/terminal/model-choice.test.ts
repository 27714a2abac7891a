/** Checks at the start what a person sees of the models: a name that is not there, and the size of the window. */
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace, run } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { type Emulated, openTerminal } from "./open-terminal.ts";

const server = await serveModel();
const models = [
  { name: "qwen3:8b", contextLength: 40_960 },
  { name: "gemma3:4b", contextLength: 8_192 },
];
const ollama = () => ({ OLLAMA_HOST: server.origin.replace("http://", ""), LOCALHARNESS_PROVIDER: "ollama" });

describe.skipIf(!hasScript())("the model at the start (needs util-linux script)", () => {
  test.each([
    ["its number", "2\r", "gemma3:4b"],
    ["its name", "qwen3:8b\r", "qwen3:8b"],
  ])("a model that the server does not have: another one is picked by %s", async (_name, keys, picked) => {
    server.use({ models, turns: [{ text: "Hello." }] });
    const terminal = await openWith("--model", "qwen9");
    await terminal.waitFor(/\[1\] qwen3:8b +Ollama at .*\n\[2\] gemma3:4b/);
    expect(terminal.screen()).toContain('No running server has the model "qwen9".');
    expect(terminal.screen()).toMatch(/or wait: the chat begins as soon as the\none you named is there\./);
    terminal.type("3\r");
    await terminal.waitFor("Type a number, d (demo) or q (leave), or wait.");
    terminal.type(keys);
    await terminal.waitFor(/─{10}/);
    const greeting = terminal.everything().replace(/\s+/g, " ");
    expect(greeting).toMatch(new RegExp(`Using ${picked} of Ollama at \\S+, as you chose`));
    expect(greeting).not.toContain("as configured");
    terminal.type("hi\r");
    await terminal.waitFor("Hello.");
    expect(server.chats.at(-1)?.body?.["model"]).toBe(picked);
    terminal.close();
  });

  test("without a terminal it is an error with a suggestion", async () => {
    server.use({ models, turns: [] });
    const ended = await run(["-p", "hi", "--model", "qwen"], { env: ollamaWithoutProvider() });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('No running server has the model "qwen". Did you mean qwen3:8b?');
  });

  test("/model shows the window that the status line shows", async () => {
    server.use({ models, turns: [{ text: "Hello." }] });
    const terminal = await openWith("--model", "qwen3:8b");
    await terminal.waitFor(/─{10}/);
    terminal.type("hi\r");
    await terminal.waitFor("Hello.");
    const [, window] = /\/(\d+k) \d+%/.exec(await terminal.waitFor(/\/\d+k \d+%/)) ?? [];
    expect(window).not.toBe("41k");
    terminal.type("/model\r");
    await terminal.waitFor(`qwen3:8b   in use · ${window} window`);
    expect(terminal.screen()).toMatch(/gemma3:4b +8\.2k window/);
    terminal.close();
  });

  test("a narrow window breaks no word of what is printed before the chat, and of config show", async () => {
    server.use({ models, turns: [] });
    const start = await openTerminal({
      place: makePlace({}, false),
      env: ollama(),
      args: ["--model", "qwen9"],
      cols: 30,
      rows: 40,
      atOnce: true,
    });
    await start.waitFor("[q] leave");
    expectWhole(start, ["The chat begins", "number", "running server"]);
    start.type("1\r");
    await start.waitFor(/Leave\n>/);
    expectWhole(start, ["instructions", "Otherwise", "ordinary"]);
    start.close();
    server.use({ turns: [{ text: "Hello." }] });
    const left = await openTerminal({ server, cols: 31, rows: 20 });
    left.type("hi\r");
    await left.waitFor("Hello.");
    left.press("ctrl+d");
    await left.ended();
    await left.waitFor(/^localharness --continue$/m);
    left.close();
    const show = await openTerminal({ args: ["config", "show"], cols: 40, rows: 200, atOnce: true });
    await show.ended();
    await show.waitFor("limits.iterations_per_turn");
    expectWhole(show, ["limits.iterations_per_turn", "permission", "context window"]);
    show.close();
  });
});

/** Expects that each line but the longest words ends before the last column, so that the terminal broke none. */
function expectWhole(terminal: Emulated, words: readonly string[]): void {
  const { active } = terminal.emulator.buffer;
  for (let row = 0; row < active.length; row += 1) {
    const line = active.getLine(row);
    if (line?.isWrapped !== true) continue;
    // Only a word that is wider than the window goes on in the next row: a path or an address.
    const before = active.getLine(row - 1)?.translateToString(true) ?? "";
    expect(before.trim()).not.toContain(" ");
  }
  const text = terminal.everything().replace(/\s+/g, " ").toLowerCase();
  for (const word of words) expect(text).toContain(word.toLowerCase());
}

function ollamaWithoutProvider() {
  return { OLLAMA_HOST: server.origin.replace("http://", "") };
}

async function openWith(...args: readonly string[]): Promise<Emulated> {
  return openTerminal({ place: makePlace(), env: ollama(), args, atOnce: true });
}
