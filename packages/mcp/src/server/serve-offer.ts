/** Creates the MCP server for an offer. It serves the offered tools, and the files of the workspace as resources. */
import { createHash } from "node:crypto";
import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { JsonObject, ToolResult } from "@localharness/protocol";
import {
  type CallToolRequest,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  ProtocolError,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { anyResult as anyObject } from "../connection/any-result.ts";
import { toCallResult } from "../registry/call-result.ts";
import type { Offer, OfferedTool, SentCallMark } from "./offer.ts";
import type { Round, Rounds } from "./rounds.ts";

/** The number of resources on one page of the list. */
const pageSize = 1_000;
const invalidParams = -32602;
const internalError = -32603;

/** Returns a server for one connection. Work that waits for an answer is kept in `rounds`. */
export function serveOffer(offer: Offer, rounds: Rounds, version: string): Server {
  const server = new Server(
    { name: "localharness", title: "Local Harness", version },
    { capabilities: { tools: {}, resources: {} }, instructions: instructionsOf(offer) },
  );
  const roundOf = (ctx: ServerContext, key: unknown) => round(server, ctx, key);
  server.setRequestHandler("tools/list", () => ({ tools: offer.tools().map(describeTool) }));
  server.setRequestHandler("tools/call", callsOf(server, offer, rounds));
  for (const [method, answer] of Object.entries(offer.extras ?? {})) {
    server.setRequestHandler(method, { params: anyObject }, (params) => answer(params) as never);
  }
  server.setRequestHandler("resources/list", async ({ params }, ctx) => {
    const paths = await offer.list({ signal: ctx.mcpReq.signal });
    if ("success" in paths) throw new ProtocolError(internalError, failureOf(paths));
    return pageOf(offer.root, paths, params?.cursor);
  });
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ uriTemplate: `${pathToFileURL(offer.root).href}/{+path}`, name: "file" }],
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }, ctx) => {
    const path = pathOf(offer.root, uri);
    if (path === undefined) throw new ResourceNotFoundError(uri);
    return rounds.run(roundOf(ctx, ["read", uri]), async (access) => {
      const content = await offer.read(path, access);
      if (!("success" in content)) return { contents: [contentOf(uri, content, offer)] };
      if (content.error_type === "not_found") throw new ResourceNotFoundError(uri);
      throw new ProtocolError(invalidParams, failureOf(content));
    });
  });
  return server;
}

/** Returns the function that answers a call of a tool. */
export function callsOf(server: Server, offer: Offer, rounds: Rounds) {
  return ({ params }: CallToolRequest, ctx: ServerContext) => {
    const { name, arguments: args = {} } = params;
    return rounds.run(round(server, ctx, ["call", name, args]), async (access) => {
      const result = toCallResult(await offer.call(name, args as JsonObject, access));
      // This program on another machine reads only the structured content.
      return (access.call === undefined ? result : { ...result, content: [] }) as never;
    });
  };
}

function instructionsOf({ root }: Offer): string {
  return `Tools for the files of ${root}. Paths are relative to it. A call may be refused or wait for a person's answer.`;
}

function describeTool({ name, description, inputSchema, readOnly }: OfferedTool) {
  return { name, description, inputSchema: inputSchema as never, annotations: { readOnlyHint: readOnly } };
}

function round(server: Server, ctx: ServerContext, key: unknown): Round {
  const { signal, inputResponses, _meta, notify } = ctx.mcpReq;
  const token = _meta?.progressToken;
  const call = markOf(_meta?.[callKey]);
  let count = 0;
  return {
    key: createHash("sha256").update(JSON.stringify(key)).digest("hex"),
    state: ctx.mcpReq.requestState<string>(),
    responses: inputResponses,
    signal,
    canAsk: canAsk(server, ctx),
    ...(call === undefined ? {} : { call }),
    ...(token === undefined
      ? {}
      : {
          report(message: string) {
            count += 1;
            const params = { progressToken: token, progress: count, message };
            void notify({ method: "notifications/progress", params }).catch(() => undefined);
          },
        }),
  };
}

/** The key under which a call carries its identity. */
const callKey = "localharness/call";

function markOf(value: unknown): SentCallMark | undefined {
  const { id, session, turn } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (value === undefined) return undefined;
  const isId = typeof id === "string" && /^[\w-]{16,64}:[1-9]\d{0,9}$/.test(id);
  const areNames = [session, turn].every((one) => typeof one === "string" && /^[\w-]{1,80}$/.test(one));
  if (isId && areNames) return { id, session, turn } as SentCallMark;
  throw new ProtocolError(invalidParams, `${callKey} must have an id, a session and a turn`);
}

/** Returns true if the client has declared that it can show a form to the person who uses it. */
function canAsk(server: Server, ctx: ServerContext): boolean {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, ClientCapabilities>> | undefined;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const elicitation = declared?.elicitation;
  return (
    elicitation !== undefined && (Object.keys(elicitation).length === 0 || elicitation.form !== undefined)
  );
}

function pageOf(root: string, paths: readonly string[], cursor: string | undefined) {
  const from = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(from) || from < 0) {
    throw new ProtocolError(invalidParams, "this cursor is not of this list");
  }
  const end = from + pageSize;
  return {
    resources: paths
      .slice(from, end)
      .map((path) => ({ uri: pathToFileURL(join(root, path)).href, name: path })),
    ...(end < paths.length ? { nextCursor: String(end) } : {}),
  };
}

/** Returns the path of a URI relative to the root; undefined if the URI is not a file below the root. */
function pathOf(root: string, uri: string): string | undefined {
  try {
    const path = relative(root, fileURLToPath(uri));
    return path === "" || path === ".." || path.startsWith(`..${sep}`) ? undefined : path;
  } catch {
    return undefined;
  }
}

/** Returns UTF-8 content without zero bytes as text with known secrets masked, and other content as plain Base64. */
function contentOf(uri: string, bytes: Uint8Array, offer: Offer) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes("\0")) return { uri, mimeType: "text/plain", text: offer.mask(text) };
  } catch {
    // The bytes are not UTF-8, so they are sent as Base64.
  }
  return { uri, mimeType: "application/octet-stream", blob: Buffer.from(bytes).toString("base64") };
}

function failureOf({ error_type, error_message }: ToolResult): string {
  return `${error_type}: ${error_message ?? "no reason given"}`;
}
