/**
 * Is started by the conformance suite for each client scenario, with the address of its server as the last argument. Runs whole
 * turns of the real program: the model calls every tool of the server, and the person signs in and accepts what is asked.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { callsReply, startModelServer, textReply } from "../corpus/attacks/model-server.ts";
import { runProgram } from "./run-program.ts";
import { takeTurn } from "./take-turn.ts";

/** The number of times that the person signs in before they give up. */
const maxSignIns = 3;

const url = process.argv.at(-1) ?? "";
await using _turn = await takeTurn(process.env["CONFORMANCE_TURNS"] ?? tmpdir());
const context = readContext();
const folder = mkdtempSync(join(tmpdir(), "lh-conformance-"));
try {
  await drive();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function drive(): Promise<void> {
  const place = makePlace();
  await using model = await startModelServer(({ body }) => {
    const messages = Array.isArray(body["messages"]) ? body["messages"] : [];
    const isLater = messages.some((message) => isJsonObject(message) && message["role"] === "tool");
    const calls = isLater ? [] : callsFor(body["tools"] ?? []);
    return calls.length === 0 ? textReply("That is all.") : callsReply(calls);
  });
  const model_ = ["--base-url", `http://127.0.0.1:${model.port}/v1`, "--model", "m"];
  const chat = ["-i", ...model_, "--sandbox", "off", "--mode", "bypass", "Call every tool of the server."];
  for (let signIns = 0; ; signIns += 1) {
    const before = model.received().length;
    const said = await runProgram(chat, place, "chat");
    const asks = `${said}${model.received().slice(before)}`.includes("localharness mcp login s");
    if (!asks || signIns === maxSignIns) break;
    const login = await runProgram(["mcp", "login", "s"], place, "login");
    if (!/^signed in/m.test(login)) break;
  }
}

function makePlace(): { readonly home: string; readonly workspace: string } {
  const place = { home: join(folder, "home"), workspace: join(folder, "ws") };
  const config = join(place.home, ".config", "localharness");
  mkdirSync(config, { recursive: true });
  mkdirSync(place.workspace);
  const path = realpathSync(place.workspace);
  const trusted = { path, owner: statSync(path).uid, trusted: true, decided: 0 };
  writeFileSync(join(config, "trust.json"), JSON.stringify({ version: 1, folders: [trusted] }));
  writeFileSync(join(config, "mcp.json"), JSON.stringify({ mcpServers: { s: { url, ...oauth() } } }));
  writeFileSync(join(config, "config.json"), JSON.stringify({ mcp_wait_seconds: 60 }));
  return place;
}

/**
 * Returns what the person wrote into the entry for the sign-in: the client that is registered at the service, the address of
 * the client's metadata document, or nothing if the scenario needs neither.
 */
function oauth(): JsonObject {
  const { client_id: clientId, client_secret: clientSecret } = context;
  if (typeof clientId === "string" && typeof clientSecret === "string") {
    return { oauth: { clientId, clientSecret } };
  }
  return process.env["MCP_CONFORMANCE_SCENARIO"] === "auth/basic-cimd"
    ? { oauth: { clientId: "https://conformance-test.local/client-metadata.json" } }
    : {};
}

function readContext(): JsonObject {
  const value: JsonValue = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");
  return isJsonObject(value) ? value : {};
}

/** Returns the calls that the scenario wants; if it names none, one call of each tool of the server. */
function callsFor(tools: JsonValue): readonly { readonly name: string; readonly argumentsText: string }[] {
  const offered = Array.isArray(tools)
    ? tools.filter(isJsonObject).map((tool) => tool["function"] ?? {})
    : [];
  const wanted = context["toolCalls"];
  if (Array.isArray(wanted)) {
    return wanted.filter(isJsonObject).map((call) => ({
      name: `s__${String(call["name"])}`,
      argumentsText: JSON.stringify(call["arguments"] ?? {}),
    }));
  }
  return offered.flatMap((tool) => {
    if (!isJsonObject(tool)) return [];
    const name = String(tool["name"]);
    return name.startsWith("s__")
      ? { name, argumentsText: JSON.stringify(sample(tool["parameters"] ?? {})) }
      : [];
  });
}

/** Returns a value of a schema's type. An object has the required properties, or all without a list of required ones. */
function sample(schema: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return "text";
  const { type, properties, required } = schema;
  if (isJsonObject(properties) || type === "object") {
    const names = Array.isArray(required)
      ? required
      : Object.keys(isJsonObject(properties) ? properties : {});
    const all = isJsonObject(properties) ? properties : {};
    return Object.fromEntries(names.map((name) => [String(name), sample(all[String(name)] ?? {})]));
  }
  if (type === "number" || type === "integer") return 5;
  if (type === "boolean") return true;
  return type === "array" ? [] : "text";
}
