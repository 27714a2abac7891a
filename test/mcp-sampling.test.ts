/** An MCP server asks for an answer of the person's model (sampling), in whole turns of the real program. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configure, makePlace, type Place, root, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const model = await serveModel();
const peer = join(root, "packages", "mcp", "test", "fixtures", "peer.ts");
const flags = () => [...argumentsFor(model), "--sandbox", "off", "--mode", "bypass"];
const text = JSON.stringify({
  method: "sampling/createMessage",
  params: {
    systemPrompt: "Steep it in words.",
    messages: [{ role: "user", content: { type: "text", text: "Name a tea.\u001b[2J" } }],
    maxTokens: 50,
    includeContext: "allServers",
  },
});
const asking = { calls: [{ name: "s__request", arguments: { text } }] };

function place(): Place {
  const made = makePlace();
  const servers = { s: { command: process.execPath, args: [peer, "requests"], sampling: true } };
  configure(made, "mcp.json", JSON.stringify({ mcpServers: servers }));
  configure(made, "config.json", JSON.stringify({ mcp_wait_seconds: 60 }));
  return made;
}

type Said = readonly { readonly role: string; readonly content: string }[];
const messagesOf = (at: number) => model.chats.at(at)?.body?.["messages"] as unknown as Said;
const resultText = () => messagesOf(-1).find(({ role }) => role === "tool")?.content ?? "";

/** Returns the entries of the audit log about requests of servers. */
function audited({ home }: Place): readonly Record<string, unknown>[] {
  const folder = join(home, ".local", "state", "localharness", "audit");
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"));
  const entries = lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  return entries.filter(({ call }) => String(call).startsWith("sampling_"));
}

test("the person sees the whole request, and the model gets nothing else", async () => {
  // The request of the server begins with this message.
  const conversations = [{ says: "Name a tea.", turns: [{ text: "Oolong." }] }];
  model.use({ turns: [asking, { text: "Done." }], conversations });
  const before = model.chats.length;
  const made = place();
  const talk = await start(["-i", ...flags(), "the secret plan"], { place: made, stdin: "open" });
  await talk.said("Type yes to allow this once");
  talk.child.stdin?.write("perhaps\n");
  await talk.said("Type yes, /decline or /cancel.");
  talk.child.stdin?.write("yes\n");
  await talk.said("Done.");
  talk.child.stdin?.write("/quit\n");
  const { stdout } = await talk.ended;
  expect(stdout).toContain('The MCP server "s" asks for an answer of your model');
  expect(stdout).toMatch(/system:\n│ Steep it in words\.\nuser:\n│ Name a tea\./);
  expect(stdout).not.toContain("\u001b[2J");
  expect(messagesOf(before + 1)).toMatchObject([
    { role: "system", content: "Steep it in words." },
    { role: "user", content: expect.stringContaining("Name a tea.") },
  ]);
  expect(JSON.stringify(model.chats.at(before + 1)?.body)).not.toMatch(/secret plan|"tools"/);
  expect(resultText()).toMatch(/(?=.*Oolong\.)(?=.*fake-model).*endTurn/);
  expect(audited(made)).toMatchObject([
    { type: "call", tool: "mcp_sampling", decision: "ask" },
    { type: "answer", answer: "once", by: "person" },
    { type: "result", success: true },
  ]);
});

test("a refusal reaches the server, and the model is not asked", async () => {
  model.use({ turns: [asking, { text: "Done." }] });
  const made = place();
  const talk = await start(["-i", ...flags(), "go"], { place: made, stdin: "open" });
  await talk.said("Type yes to allow this once");
  talk.child.stdin?.write("/decline\n");
  await talk.said("Done.");
  talk.child.stdin?.write("/quit\n");
  await talk.ended;
  expect(resultText()).toContain("the person did not allow this request");
  expect(audited(made)).toMatchObject([{ type: "call" }, { type: "answer", answer: "deny", by: "person" }]);
});

test("without a person it is denied, and said", async () => {
  model.use({ turns: [asking, { text: "Done." }] });
  const made = place();
  const ended = await run(["-p", ...flags(), "--answer", "once", "go"], { place: made });
  expect(ended.stderr).toMatch(/the MCP server s asked a question that nobody can answer here/);
  expect(resultText()).toContain("the person did not allow this request");
  expect(audited(made)).toMatchObject([{ type: "call" }, { type: "answer", answer: "deny", by: "nobody" }]);
});
