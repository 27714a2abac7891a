/**
 * Runs the recorded cases about MCP servers: the names and descriptions of their tools, and the messages that they
 * send.
 */
import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { answerOf } from "./answer.ts";
import { keepApprovals } from "./approvals.ts";
import { chat } from "./chat.ts";
import { type DriveOptions, defaultAnswer, runScript } from "./drive-call.ts";
import { fillObject, fillValue } from "./fill.ts";
import { checkedLimits, limitedStart } from "./limits.ts";
import { callsReply, startModelServer, textReply } from "./model-server.ts";
import { type Decided, emptyObservation, type Observation, resultsOf, startsOn } from "./observation.ts";
import { makePlace, type Place } from "./place.ts";
import { beginWatch, probeReport } from "./program.ts";
import type { AnswerWord, Approval, Row } from "./row.ts";
import { RowError } from "./row-error.ts";
import { answered, pasteOf, type WrittenCall } from "./script.ts";

type Look<Result> = (seen: Observation) => Promise<Result>;

/** A tool of a server, as the rows name it (`mcp__SERVER__TOOL`) and as this program does. */
interface ServerTool {
  readonly server: string;
  readonly tool: string;
  readonly ownName: string;
}

export async function driveMcp<Result>(row: Row, options: DriveOptions, look: Look<Result>): Promise<Result> {
  using place = makePlace(row.setup);
  if (row.tool === "wire") return await look(await driveWireOfServer(row, place, options));
  const tools = toolsOf(row);
  const definitions = definitionsOf(row, place);
  const older = (row.policy ?? []).filter(({ schema_hash: hash }) => hash !== undefined);
  const policy = (row.policy ?? [])
    .filter((approval) => !older.includes(approval))
    .flatMap((approval) => ownNamesOf(approval.tool).map((tool) => ({ ...approval, tool })));
  await keepApprovals({ ...row, policy }, place);
  const args = row.tool.startsWith("mcp__") ? fillObject(row.arguments ?? {}, place.values) : {};
  const call: WrittenCall = { name: tools[0]?.ownName ?? "", argumentsText: JSON.stringify(args) };
  const main = answered(row, call);
  const pasted = pasteOf(row, place);
  const messages = pasted === undefined ? {} : { messages: [pasted] };
  const behave = (definition: (tool: string) => JsonObject, later?: (tool: string) => JsonObject) => {
    for (const { server } of tools) {
      const own = tools.filter((one) => one.server === server).map((one) => one.tool);
      const change = later === undefined ? {} : { later: own.map(later) };
      configure(place, server, { tools: own.map(definition), ...change });
    }
  };
  const [approval] = older;
  if (approval === undefined) {
    behave(definitions);
    return await look(
      await runScript(row, place, { iterations: [[main]], main, before: 0, ...messages }, options),
    );
  }
  if (older.length > 1) throw new RowError("several approvals have a schema_hash");
  const approved = approvedDefinition(approval, definitions);
  const first: WrittenCall = { ...call, answer: answerOf(scopeOf(approval)) };
  if (first.answer !== "remember") {
    behave(approved, definitions);
    const script = { iterations: [[first], [main]], main, before: 1, fires: true, ...messages };
    return await look(await runScript(row, place, script, options));
  }
  // The person approves the earlier definition in an earlier run.
  behave(approved);
  const earlier = { ...row, check: {} };
  await runScript(earlier, place, { iterations: [[first]], main: first, before: 0 }, options);
  behave(definitions);
  // The program may know the earlier definition from that run. It finds the new one at the first call, and refuses that.
  const script = { iterations: [[main], [main]], main, before: 1, fires: true, ...messages };
  return await look(await runScript(row, place, script, options));
}

/** Returns the definitions that a person approved: those on offer if the approval has their hash, else older ones. */
function approvedDefinition(
  { schema_hash: hash = "" }: Approval,
  definitions: (tool: string) => JsonObject,
): (tool: string) => JsonObject {
  return (tool) => {
    const offered = definitions(tool);
    const now = createHash("sha256").update(JSON.stringify(offered)).digest("hex");
    if (["same", "current", "unchanged", now, `sha256:${now}`].includes(hash)) return offered;
    const inputSchema = {
      type: "object",
      properties: { [`earlier_${hash.slice(0, 8)}`]: { type: "string" } },
    };
    return { ...offered, description: `As it was at ${hash}.`, inputSchema };
  };
}

function scopeOf({ scope, decision }: Approval): AnswerWord {
  if (decision === "deny" || decision === "ask") return "deny";
  return decision === "allow" ? (scope ?? "remember") : decision;
}

/** Returns each server and tool that a generic name can mean: `mcp__a__b__c` has two readings. */
function toolsOf({ tool }: Row): readonly ServerTool[] {
  if (tool === "mcp_tool_description") return [named("server", "tool")];
  if (!tool.startsWith("mcp__")) throw new RowError(`unknown tool ${tool}`);
  return readings(tool.slice("mcp__".length));
}

function readings(name: string): readonly ServerTool[] {
  const parts = name.split("__");
  return parts.slice(1).map((_part, index) => {
    const at = index + 1;
    return named(parts.slice(0, at).join("__"), parts.slice(at).join("__"));
  });
}

function named(server: string, tool: string): ServerTool {
  return { server, tool, ownName: `${server.replace(/_{2,}/g, "_")}__${tool}` };
}

/**
 * Returns the names that an approved tool has in this program: its name without `mcp__`, and the name of its last reading,
 * in which a pattern such as `mcp__SERVER__*` has the tool `tool`. A name without `mcp__` stays.
 */
function ownNamesOf(approved: string): readonly string[] {
  if (!approved.startsWith("mcp__")) return [approved];
  const rest = approved.slice("mcp__".length);
  const last = readings(rest.replace("*", "tool")).at(-1);
  return [rest, ...(last === undefined ? [] : [last.ownName])];
}

/** Returns a function that gives the definition of a tool: that of the row, or one with the row's text as description. */
function definitionsOf(row: Row, place: Place): (tool: string) => JsonObject {
  const given = Array.isArray(row.mcp_tools) ? row.mcp_tools.filter(isJsonObject) : [];
  const description = row.tool === "mcp_tool_description" ? fillValue(row.arguments ?? "", place.values) : "";
  return (tool) => {
    const definition = given.find(({ name }) => name === tool);
    return definition ?? { name: tool, description, inputSchema: { type: "object" } };
  };
}

/** Writes the behaviour of a server, and adds the server to the person's configuration. Returns the path for its replies. */
function configure(place: Place, server: string, behaviour: JsonObject): string {
  const folder = join(place.home, ".config", "localharness");
  mkdirSync(folder, { recursive: true });
  const replies = join(place.root, `replies-${server}`);
  const path = join(place.root, `behaviour-${server}.json`);
  writeFileSync(path, JSON.stringify({ ...behaviour, replies }));
  const file = join(folder, "mcp.json");
  const before = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).mcpServers : {};
  const host = join(import.meta.dirname, "hosts", "mcp-peer.ts");
  const entry = { command: process.execPath, args: [host, path] };
  writeFileSync(file, JSON.stringify({ mcpServers: { ...before, [server]: entry } }));
  return replies;
}

const stillHere = "Still here.";
const knownSteps = ["exit", "hold_ms"];

/** Calls a tool of a server that sends the bytes of the row. After that turn, the person sends another message. */
async function driveWireOfServer(row: Row, place: Place, options: DriveOptions): Promise<Observation> {
  for (const name of (row.steps ?? []).flatMap((step) => Object.keys(step))) {
    if (!knownSteps.includes(name)) throw new RowError(`unknown step ${name}`);
  }
  const { tool, server, ownName } = named("server", "tool");
  const tools: JsonValue = [{ name: tool, inputSchema: { type: "object" } }];
  const wire = fillValue(row.wire ?? "", place.values);
  const replies = configure(place, server, { tools, wire, steps: [...(row.steps ?? [])] });
  let turn = 1;
  const running: { child?: ChildProcess } = {};
  await using model = await startModelServer(async (_request, count) => {
    if (count === 0 && running.child !== undefined && "max_rss_delta_mb" in row.check) {
      await beginWatch(running.child, place);
    }
    if (turn > 1) return textReply(stillHere);
    return count === 0 ? callsReply([{ name: ownName, argumentsText: "{}" }]) : textReply("That is all.");
  });
  const startedAt = performance.now();
  const talked = await chat({
    ...options,
    ...limitedStart(row, checkedLimits(row)),
    place,
    baseUrl: `http://127.0.0.1:${model.port}/v1`,
    messages: ["go", "again"],
    answer: (question) => (question.tool === ownName ? "once" : defaultAnswer(row)),
    onStart: (child) => {
      running.child = child;
    },
    beforeMessage: (index) => {
      turn = index + 1;
    },
  });
  const results = resultsOf(model.seen);
  const to = talked.idleAt[0];
  return {
    ...emptyObservation(place),
    decided: decidedBy(replies),
    results,
    main: results[0],
    asked: talked.asked,
    started: startsOn(talked.screen).map((start) => start.tool),
    screen: talked.screen,
    errors: talked.errors,
    requests: model.seen,
    ended: { code: talked.code, signal: talked.signal, hung: talked.hung },
    turnMs: to === undefined ? undefined : to - (model.seen[0]?.arrivedAt ?? startedAt),
    probe: probeReport(place),
    found: { usable: talked.screen.includes(stillHere) && talked.code === 0, configured: true },
    problems: [
      ...(results.length === 0 ? ["the tool of the server was not called"] : []),
      ...(String(wire).includes('"method"') && !existsSync(replies) ? ["the request was not answered"] : []),
    ],
  };
}

/** Returns the decision about the server's requests: `allow` if a reply has a result, `deny` for errors and no reply. */
function decidedBy(replies: string): Decided {
  const lines = existsSync(replies) ? readFileSync(replies, "utf8").trim().split("\n") : [];
  return lines.some((line) => line !== "" && JSON.parse(line).result !== undefined) ? "allow" : "deny";
}
