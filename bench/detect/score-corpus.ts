/** Reads recorded cases and says of each what came of it. */
import { type DetectEvent, detect, type JsonValue } from "@localharness/detect";
import { type Case, optionsOf } from "../../scripts/corpus/case.ts";
import { score } from "../../scripts/corpus/score.ts";
import { type ParserModule, type Part, partStream, peerTools, protocolOf } from "./peers.ts";
import type { CallFormat } from "./texts.ts";

/** `exact`: every call with its arguments, or none where there is none. `wrong`: calls are expected and others came. */
export type Verdict = "exact" | "wrong" | "invented";

export function readByUs(one: Case): Verdict {
  return verdictOf(one, detect(one.text, optionsOf(one)));
}

/**
 * Each case is read twice, as its users would have it: whole by `wrapGenerate`, and in the pieces of the case's own source
 * by `wrapStream`. The better of the two counts.
 */
export async function readAllByProtocol(
  module: ParserModule,
  format: CallFormat,
  cases: readonly Case[],
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const one of cases) {
    const whole = await verdictOfParts(one, () => readWhole(module, format, one));
    const streamed =
      whole === "exact" ? whole : await verdictOfParts(one, () => readStream(module, format, one));
    verdicts.push(streamed === "exact" ? streamed : whole);
  }
  return verdicts;
}

/** A reader that throws has found nothing. */
async function verdictOfParts(one: Case, read: () => Promise<readonly Part[]>): Promise<Verdict> {
  try {
    return verdictOf(one, eventsOf(await read()));
  } catch {
    return verdictOf(one, []);
  }
}

function verdictOf(one: Case, events: readonly DetectEvent[]): Verdict {
  const { exact, invented } = score(one, events);
  if (one.kind === "none") return invented ? "invented" : "exact";
  return exact ? "exact" : "wrong";
}

async function readWhole(module: ParserModule, format: CallFormat, one: Case): Promise<readonly Part[]> {
  const { content } = await module.wrapGenerate({
    protocol: protocolOf(module, format),
    params: paramsOf(module, one),
    doGenerate: async () => ({ content: [{ type: "text", text: one.text }] }),
  });
  return content;
}

async function readStream(module: ParserModule, format: CallFormat, one: Case): Promise<readonly Part[]> {
  const pieces = one.chunks === undefined || one.chunks.length === 0 ? [one.text] : one.chunks;
  const { stream } = await module.wrapStream({
    protocol: protocolOf(module, format),
    params: paramsOf(module, one),
    doStream: async () => ({ stream: partStream(pieces[Symbol.iterator]()) }),
  });
  const parts: Part[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

function paramsOf(module: ParserModule, one: Case): object {
  const tools = peerTools(one.tools.map((tool) => tool.function));
  return {
    prompt: [],
    providerOptions: { toolCallMiddleware: { originalTools: module.encodeOriginalTools(tools) } },
  };
}

/** The parts as this project's events, so that one scorer judges all. */
function eventsOf(parts: readonly Part[]): DetectEvent[] {
  return parts
    .filter((part) => part.type === "tool-call")
    .map((part, index) => ({
      type: "tool-call-end",
      index,
      name: part.toolName ?? "",
      arguments: argumentsOf(part.input),
      format: "json",
      repairs: [],
    }));
}

function argumentsOf(input: unknown): { [key: string]: JsonValue } {
  const value: unknown = typeof input === "string" ? JSON.parse(input) : input;
  return (value ?? {}) as { [key: string]: JsonValue };
}
