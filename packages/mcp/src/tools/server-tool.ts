/** Makes a tool of the harness from a tool that a server lists. */
import { createHash } from "node:crypto";
import {
  type CallFacts,
  defineTool,
  failed,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import type { ListedTool } from "./listed-tool.ts";

/** The functions of a server that its tools use. */
export interface ToolSource {
  /** The name of the server as the person wrote it. */
  readonly name: string;
  /** The hash of the entry with which the server was started. */
  readonly entryHash: string;
  /** Starts the server unless it runs. Never rejects. */
  ready(): Promise<unknown>;
  /** Returns the tool as the server listed it last; undefined if it was not in that list. */
  current(tool: string): ListedTool | undefined;
  call(tool: ListedTool, args: JsonObject, context: ToolContext): Promise<ToolOutput>;
  /** The maximum milliseconds of a call, even if it reports progress. */
  readonly longestCallMs: number;
}

/**
 * Returns the tool under the name `offered`. Whatever the server says about the tool, it counts as able to change
 * things. An answer that covers more than one call holds only as long as the entry, the description and the schema do
 * not change.
 */
export function serverTool(offered: string, listed: ListedTool, source: ToolSource): Tool {
  return defineTool({
    name: offered,
    description: `[${source.name}] ${listed.description}`.trim(),
    parameters: listed.parameters,
    foreign: true,
    risk: "medium",
    readOnly: false,
    timeoutMs: source.longestCallMs,
    examine: () => factsOf(listed, source),
    async execute(args, context) {
      await source.ready();
      const now = source.current(listed.name);
      const seen = context.examined?.seen;
      if (now !== undefined && seen !== undefined && seen !== now.hash) {
        return failed("validation_failed", changedText(source.name, listed.name));
      }
      if (now !== undefined) return source.call(now, args, context);
      return failed("not_found", goneText(source.name, listed.name));
    },
  });
}

/** Returns the failed output for a call of a tool that the server no longer lists in this way; undefined if it does. */
export function changedSince(
  tool: ListedTool,
  now: readonly ListedTool[],
  server: string,
): ToolOutput | undefined {
  const same = now.find(({ name }) => name === tool.name);
  if (same === undefined) return failed("not_found", goneText(server, tool.name));
  return same.hash === tool.hash ? undefined : failed("validation_failed", changedText(server, tool.name));
}

function goneText(server: string, tool: string): string {
  return `the MCP server ${server} no longer offers the tool ${tool}`;
}

/** Returns the message for a call that was decided on with an old description of the tool, as from an earlier session. */
function changedText(server: string, tool: string): string {
  return `the MCP server ${server} has changed the tool ${tool} since it was last used, so the call was not made. Call it again: the person is then asked about its new description`;
}

function factsOf(offered: ListedTool, source: ToolSource): CallFacts {
  const now = source.current(offered.name) ?? offered;
  const what = `calls the tool ${JSON.stringify(now.name)} of the MCP server ${JSON.stringify(source.name)}`;
  const told =
    now.description === "" ? "which it does not describe" : `which it describes as: ${now.description}`;
  const scope = createHash("sha256").update(`${source.entryHash}\0${now.hash}`).digest("hex");
  const facts: CallFacts = {
    effect: `${what}, ${told}`,
    scope: `mcp:${scope}`,
    covers: `every call of the tool ${now.name} of the MCP server ${source.name}, until its description or its parameters change`,
    seen: now.hash,
  };
  if (now.hash === offered.hash) return facts;
  const reason = `the MCP server ${source.name} has changed this tool since the session began; it now describes it as: ${now.description}`;
  return { ...facts, concerns: [{ id: "mcp:changed", decision: "ask", reason }] };
}
