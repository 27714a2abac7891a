/** Loads and runs other readers of tool calls, if they are installed in DIR/parsers/node_modules. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ToolSchema } from "@localharness/detect";
import { piecesOf } from "./floors.ts";
import type { CallFormat } from "./texts.ts";

export const parserPackage = "@ai-sdk-tool/parser";
export const peerPackages = [parserPackage, "jsonrepair", "partial-json"] as const;
export type PeerPackage = (typeof peerPackages)[number];

/**
 * The names of the protocols that `@ai-sdk-tool/parser` exports, by format. A fifth exported name is an alias of the
 * last protocol.
 */
export const protocolNames: { readonly [format in CallFormat]: string } = {
  hermes: "hermesProtocol",
  "morph-xml": "morphXmlProtocol",
  "yaml-xml": "yamlXmlProtocol",
  "qwen-coder": "qwen3CoderProtocol",
};

/** A part of a reply in the AI SDK, with the fields that are used here. */
export interface Part {
  readonly type: string;
  readonly text?: string;
  readonly delta?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly [key: string]: unknown;
}

interface PeerTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

export interface Protocol {
  createStreamParser(options: { tools: PeerTool[]; options: object }): TransformStream<Part, Part>;
}

interface WrapOptions {
  readonly protocol: Protocol;
  readonly params: object;
}

/** The functions of `@ai-sdk-tool/parser` that are used here. */
export interface ParserModule {
  wrapGenerate(
    options: WrapOptions & { doGenerate: () => Promise<{ content: Part[] }> },
  ): Promise<{ content: Part[] }>;
  wrapStream(
    options: WrapOptions & { doStream: () => Promise<{ stream: ReadableStream<Part> }> },
  ): Promise<{ stream: ReadableStream<Part> }>;
  encodeOriginalTools(tools: PeerTool[]): unknown;
  readonly [name: string]: unknown;
}

export function hasPeer(peers: string | undefined, name: PeerPackage): boolean {
  return peers !== undefined && existsSync(join(peers, "parsers", "node_modules", name, "package.json"));
}

/** Returns `@ai-sdk-tool/parser 4.1.26`, or that the package is absent and where it is expected. */
export function describePeer(peers: string | undefined, name: PeerPackage): string {
  if (!hasPeer(peers, name) || peers === undefined) {
    return `${name} (absent: no DIR/parsers/node_modules/${name})`;
  }
  const { version } = requireFrom(peers)(`./node_modules/${name}/package.json`) as { version: string };
  return `${name} ${version}`;
}

export async function loadParser(peers: string): Promise<ParserModule> {
  const file = join(peers, "parsers", "node_modules", parserPackage, "dist", "index.js");
  return (await import(pathToFileURL(file).href)) as ParserModule;
}

export function protocolOf(module: ParserModule, format: CallFormat): Protocol {
  const make = module[protocolNames[format]];
  if (typeof make !== "function") throw new Error(`${parserPackage} has no ${protocolNames[format]}.`);
  return make() as Protocol;
}

export function peerTools(tools: readonly ToolSchema[]): PeerTool[] {
  return tools.map(({ name, description = "", parameters = { type: "object", properties: {} } }) => ({
    type: "function",
    name,
    description,
    inputSchema: parameters,
  }));
}

/** Returns a model's text as a stream of parts. */
export function partStream(pieces: Iterator<string>): ReadableStream<Part> {
  return new ReadableStream<Part>({
    start(controller) {
      controller.enqueue({ type: "text-start", id: "1" });
    },
    pull(controller) {
      const next = pieces.next();
      if (next.done !== true) return controller.enqueue({ type: "text-delta", id: "1", delta: next.value });
      controller.enqueue({ type: "text-end", id: "1" });
      controller.enqueue({ type: "finish", finishReason: { unified: "stop" }, usage: {} });
      controller.close();
    },
  });
}

/** Reads the text through the protocol's own stream parser; returns the number of calls. */
export async function readByProtocol(
  protocol: Protocol,
  tools: readonly ToolSchema[],
  text: string,
): Promise<number> {
  const parser = protocol.createStreamParser({ tools: peerTools(tools), options: {} });
  let calls = 0;
  for await (const part of partStream(piecesOf(text)).pipeThrough(parser)) {
    if (part.type === "tool-call") calls += 1;
  }
  return calls;
}

/**
 * Returns a reader that parses all text so far after every piece, as a program does that shows arguments while they
 * arrive. The reader returns 1 if its last result is the whole value, else 0.
 */
export function loadPartialReader(
  peers: string,
  name: "jsonrepair" | "partial-json",
): (text: string) => number {
  const module = requireFrom(peers)(name) as { [name: string]: (text: string) => unknown };
  const { parse, jsonrepair } = module;
  const read = name === "partial-json" ? parse : (text: string) => JSON.parse(String(jsonrepair?.(text)));
  if (read === undefined) throw new Error(`${name} has no function to call.`);
  return (text) => {
    let soFar = "";
    let last: unknown;
    for (const piece of piecesOf(text)) {
      soFar += piece;
      try {
        last = read(soFar);
      } catch {
        // The text so far cannot be parsed yet; the next piece may complete it.
      }
    }
    return JSON.stringify(last) === text ? 1 : 0;
  };
}

function requireFrom(peers: string): NodeJS.Require {
  return createRequire(join(peers, "parsers", "package.json"));
}
