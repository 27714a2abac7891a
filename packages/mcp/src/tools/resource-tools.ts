/** Defines `list_resources` and `read_resource`, which give access to what servers offer besides tools. */
import { defineTool, failed, type Tool, type ToolOutput } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { anyResult } from "../connection/any-result.ts";
import type { Server } from "../servers/server.ts";
import { cleaned } from "./listed-tool.ts";
import { resourceText } from "./result-output.ts";

const timeoutMs = 60_000;

export interface ResourceToolParts {
  /** Returns the servers that have resources, also those of which this is known from an earlier session. */
  servers(): readonly Server[];
  /** Cuts a text to the maximum length of a result. */
  cut(text: string): string;
}

/** Returns the two tools. A call sends its arguments to a server, so it asks as the servers' own tools do. */
export function resourceTools(parts: ResourceToolParts): readonly [list: Tool, read: Tool] {
  return [
    defineTool({
      name: "list_resources",
      description: "List the resources of MCP servers, which read_resource reads.",
      parameters: { type: "object", properties: { server: { type: "string" } } },
      risk: "medium",
      readOnly: true,
      timeoutMs,
      grantScope: ({ server }) => scopeOf(parts, String(server ?? "")),
      execute: async ({ server }) => list(parts, server === undefined ? undefined : String(server)),
    }),
    defineTool({
      name: "read_resource",
      description: "Read a resource of an MCP server by its URI.",
      parameters: {
        type: "object",
        properties: { server: { type: "string" }, uri: { type: "string" } },
        required: ["server", "uri"],
      },
      risk: "medium",
      readOnly: true,
      timeoutMs,
      grantScope: ({ server }) => scopeOf(parts, String(server)),
      execute: async ({ server, uri }) => read(parts, String(server), String(uri)),
    }),
  ];
}

/**
 * Returns the scope of an answer: one server, as long as its entry does not change. For an empty name, which means all
 * servers, and for an unknown one, the scope depends on the name alone.
 */
function scopeOf({ servers }: ResourceToolParts, name: string): string {
  return `resources of the MCP server ${name} ${servers().find(({ entry }) => entry.name === name)?.hash ?? ""}`;
}

async function list({ servers, cut }: ResourceToolParts, name: string | undefined): Promise<ToolOutput> {
  const asked = servers().filter(({ entry }) => name === undefined || entry.name === name);
  if (asked.length === 0) return unknownServer(servers(), name ?? "");
  const lines = await Promise.all(asked.map(linesOf));
  return { ok: true, data: cut(lines.flat().join("\n") || "There are no resources.") };
}

async function linesOf(server: Server): Promise<readonly string[]> {
  const { name } = server.entry;
  try {
    const resources = await server.list("resources");
    return resources.map((one) => `${name} ${cleaned(one["uri"])}${aboutOf(one)}`);
  } catch (error) {
    const { reasonText } = await import("../connection/failure-text.ts");
    return [`${name}: its resources could not be listed: ${reasonText(error, server.entry)}`];
  }
}

function aboutOf(resource: JsonObject): string {
  const words = [cleaned(resource["title"] ?? resource["name"]), cleaned(resource["description"])];
  const about = words.filter((text) => text !== "").join(", ");
  return about === "" ? "" : ` (${about})`;
}

async function read({ servers, cut }: ResourceToolParts, name: string, uri: string): Promise<ToolOutput> {
  const server = servers().find(({ entry }) => entry.name === name);
  if (server === undefined) return unknownServer(servers(), name);
  return server.run(`the reading of ${uri.slice(0, 200)}`, async ({ client }) => {
    const result = await client.request({ method: "resources/read", params: { uri } }, anyResult, {
      timeout: timeoutMs,
    });
    const contents = Array.isArray(result["contents"]) ? result["contents"] : [];
    return { ok: true, data: cut(contents.map(resourceText).join("\n") || "(The resource is empty.)") };
  });
}

function unknownServer(known: readonly Server[], name: string): ToolOutput {
  const names = known.map(({ entry }) => entry.name).join(", ");
  return failed(
    "not_found",
    `there is no MCP server ${JSON.stringify(name)} with resources; there are: ${names}`,
  );
}
