/** Checks the questions of MCP servers on the screen. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { configure, makePlace, root } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { type Emulated, openTerminal } from "./open-terminal.ts";

const server = await serveModel();
const peer = join(root, "packages", "mcp", "test", "fixtures", "peer.ts");

/** Presses Enter until the text is shown, because a key counts only after a moment without other keys. */
async function enterUntil(terminal: Emulated, text: string): Promise<void> {
  for (let tries = 0; tries < 20 && !terminal.screen().includes(text); tries += 1) {
    await terminal.settled();
    await terminal.settled();
    terminal.press("enter");
    await terminal.settled();
  }
  await terminal.waitFor(text);
}

describe.skipIf(!hasScript())("a question of an MCP server (needs util-linux script)", () => {
  test("asks for each value, shows what is sent, and the server gets it", async () => {
    const place = makePlace();
    const servers = { notes: { command: process.execPath, args: [peer, "requests"] } };
    configure(place, "mcp.json", JSON.stringify({ mcpServers: servers }));
    configure(place, "config.json", JSON.stringify({ mcp_wait_seconds: 60 }));
    const requestedSchema = { type: "object", properties: { age: { type: "integer" } }, required: ["age"] };
    const text = JSON.stringify({
      method: "elicitation/create",
      params: { message: "How old?", requestedSchema },
    });
    server.use({ turns: [{ calls: [{ name: "notes__request", arguments: { text } }] }, { text: "Done." }] });
    const terminal = await openTerminal({ server, place, args: ["--sandbox", "off", "--mode", "bypass"] });
    terminal.type("go\r");
    await terminal.waitFor('The MCP server "notes" asks you');
    await terminal.waitFor("1/1 age (integer; needed)");
    terminal.type("36");
    await terminal.waitFor("> 36");
    await enterUntil(terminal, 'Sends: {"age":36}');
    await enterUntil(terminal, "Done.");
    expect(JSON.stringify(server.chats.at(-1)?.body)).toMatch(/age\\*":36\b/);
    terminal.close();
  });
});
