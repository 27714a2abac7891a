/** The real server-everything asks the person while its tools run (elicitation), in whole turns of the real program. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { configure, makePlace, type Place, root, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const model = await serveModel();
const everything = join(root, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");

function place(): Place {
  const made = makePlace();
  const servers = { s: { command: process.execPath, args: [everything] } };
  configure(made, "mcp.json", JSON.stringify({ mcpServers: servers }));
  configure(made, "config.json", JSON.stringify({ mcp_wait_seconds: 60 }));
  return made;
}

const flags = () => [...argumentsFor(model), "--sandbox", "off", "--mode", "bypass"];

function resultText(): string {
  const messages = model.chats.at(-1)?.body?.["messages"] as unknown as readonly {
    readonly role: string;
    readonly content: string;
  }[];
  return messages.find(({ role }) => role === "tool")?.content ?? "";
}

/** Runs a turn in which the model calls the tool; the person types these lines. */
async function chat(tool: string, args: object, lines: readonly string[]): Promise<string> {
  model.use({ turns: [{ calls: [{ name: tool, arguments: args as never }] }, { text: "Done." }] });
  const talk = await start(["-i", ...flags(), "go"], { place: place(), stdin: "open" });
  await talk.said(/asks you\. Your answer goes to this server/);
  for (const line of lines) talk.child.stdin?.write(`${line}\n`);
  await talk.said("Done.");
  talk.child.stdin?.write("/quit\n");
  return (await talk.ended).stdout;
}

describe("a question of a server", () => {
  const tool = "s__trigger-elicitation-request";

  test("asks for each value, takes defaults, and sends what the person saw", async () => {
    const asked = await chat(tool, {}, ["Ada", "yes", ...Array.from({ length: 20 }, () => "")]);
    expect(asked).toMatch(/The MCP server "s" asks you.*allows no call\.\n {2}│ Please provide inputs/);
    expect(asked).toMatch(/1\/\d+ String \(text; Enter leaves it out|1\/\d+ String \(text; needed/);
    expect(asked).toMatch(/Sends to "s": \{"name":"Ada","check":true.*"integer":42/);
    expect(resultText()).toMatch(/Ada/);
    expect(resultText()).toMatch(/42/);
  });

  test("is refused with /decline, and says what a wrong value is", async () => {
    const asked = await chat(tool, {}, ["Ada", "perhaps", "/decline"]);
    expect(asked).toContain("expected yes or no");
    expect(resultText()).toMatch(/declin/i);
  });

  test.each([[[]], [["--answer", "once"]]])("is declined without a person, also with %j", async (more) => {
    model.use({ turns: [{ calls: [{ name: tool, arguments: {} }] }, { text: "Done." }] });
    const ended = await run(["-p", ...flags(), ...more, "go"], { place: place() });
    expect(ended.stderr).toMatch(/the MCP server s asked a question that nobody can answer here/);
    expect(resultText()).toMatch(/declin/i);
  });

  test("that names a page shows the whole address, and opens nothing", async () => {
    const url = `https://login.example/${"long/".repeat(40)}end`;
    const asked = await chat("s__trigger-url-elicitation", { url, message: "Sign in", elicitationId: "1" }, [
      "y",
      "yes",
    ]);
    expect(asked.replace(/\n\s*/g, "")).toContain(url);
    expect(asked).toContain("Type yes, /decline or /cancel.");
    expect(resultText()).toMatch(/accept/i);
  });
});
