/** Checks what a new user without a model server sees. */
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { startFakeServer } from "../../packages/models/test/fake-server/index.ts";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace } from "../run-program.ts";
import { openTerminal } from "./open-terminal.ts";

describe.skipIf(!hasScript())("without a model server (needs util-linux script)", () => {
  test("the chat starts as soon as a server answers", async () => {
    const port = await freePort();
    const terminal = await waitingTerminal(port);
    expect(terminal.screen()).toContain(`Ollama at http://127.0.0.1:${port} does not answer`);
    await using _server = await startFakeServer({ turns: [{ text: "Hello there." }] }, port);
    await terminal.waitFor(/Leave\n>/);
    terminal.type("1\r");
    await terminal.waitFor(/─{10}/);
    expect(terminal.everything()).toContain("Using fake-model of Ollama");
    terminal.type("hello\r");
    await terminal.waitFor("Hello there.");
    terminal.press("ctrl+d");
    expect(await terminal.ended()).toBe(0);
    expect(terminal.everything()).toContain("To continue this session: localharness --continue");
    terminal.close();
  });

  test("one key starts the demo; an unknown word is answered", async () => {
    const terminal = await waitingTerminal(await freePort());
    terminal.type("what\r");
    await terminal.waitFor("Type d (demo)");
    terminal.type("d\r");
    await terminal.waitFor(/\[1\] Trust, .* Leave\n>/);
    terminal.type("4\r");
    expect(await terminal.ended()).toBe(0);
    terminal.close();
  });

  test('the answer "only read" is explained in a warning on the screen, without colour codes', async () => {
    const terminal = await waitingTerminal(await freePort());
    terminal.type("d\r");
    await terminal.waitFor(/Leave\n>/);
    terminal.type("3\r");
    await terminal.waitFor(/^! .*is not trusted: only tools that read are on/m);
    expect(terminal.everything()).not.toMatch(/\[\d+m/);
    await terminal.waitFor("Only reading: no command runs");
    await terminal.waitFor("· only reading ·");
    terminal.type("/trust\r");
    await terminal.waitFor("not trusted: only tools that change nothing run.");
    terminal.type("/trust maybe\r");
    await terminal.waitFor("expected /trust yes, auto or read, got maybe");
    terminal.type("/tools\r");
    await terminal.waitFor(/\[-\] write_file .*off here/);
    terminal.press("esc");
    await terminal.until("closed list", () => !terminal.screen().includes("Esc closes"));
    terminal.type("/trust auto\r");
    await terminal.waitFor(/is now trusted: [^.]* begin\s+in\s+mode\s+auto\./);
    expect(terminal.screen()).toContain("· only reading ·");
    terminal.type("/clear\r");
    await terminal.waitFor("started a new session");
    await terminal.waitFor(/· auto · (no )?sandbox/);
    terminal.type("/tools\r");
    await terminal.waitFor("[x] write_file");
    terminal.press("esc");
    await terminal.until("closed list", () => !terminal.screen().includes("Esc closes"));
    terminal.type("/status\r");
    await terminal.waitFor(/trust +trusted/);
    terminal.press("ctrl+d");
    expect(await terminal.ended()).toBe(0);
    terminal.close();
  });

  test("a search that ends after the choice prints nothing", async () => {
    await using model = await startFakeServer({ turns: [] });
    const looked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const slow = createHttpServer(async (request, response) => {
      looked.resolve();
      await held.promise;
      const answer = await fetch(new URL(request.url ?? "", model.baseUrl), {
        method: request.method ?? "GET",
      });
      response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
    });
    const port = await freePort();
    const terminal = await waitingTerminal(port);
    slow.listen(port, "127.0.0.1");
    await looked.promise;
    terminal.type("d\r");
    await terminal.waitFor("[1] Trust");
    held.resolve();
    await terminal.waitFor(/Leave\n>/);
    expect(await terminal.settled()).toMatch(/Leave\n>$/);
    expect(terminal.bytes()).toMatch(/Leave\r\n> $/);
    terminal.close();
    slow.close();
  });

  test.each([
    ["q and Enter", "q\r"],
    ["Ctrl-C", "\x03"],
    ["Ctrl-D", "\x04"],
  ])("%s leaves", async (_name, keys) => {
    const terminal = await waitingTerminal(await freePort());
    terminal.type(keys);
    expect(await terminal.ended()).toBe(0);
    const { before, after } = terminal.settings();
    expect(after).toBe(before);
    terminal.close();
  });
});

async function waitingTerminal(port: number) {
  const env = { OLLAMA_HOST: `127.0.0.1:${port}`, LOCALHARNESS_PROVIDER: "ollama" };
  const terminal = await openTerminal({ place: makePlace({}, false), env, atOnce: true });
  await terminal.waitFor("[q] leave");
  return terminal;
}

/** Returns a port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return address !== null && typeof address === "object" ? address.port : 0;
}
