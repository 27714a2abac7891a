/** Reads recorded cases with a reader and judges the result of each. */
import { type DetectEvent, detect, type JsonValue } from "@localharness/detect";
import { type Case, optionsOf } from "../../scripts/corpus/case.ts";
import { score } from "../../scripts/corpus/score.ts";
import { type ParserModule, type Part, partStream, peerTools, protocolOf } from "./peers.ts";
import type { CallFormat } from "./texts.ts";

/**
 * `exact`: the reader found exactly the expected calls, or none when none is expected. `wrong`: it found other calls or
 * none. `invented`: it found a call when none is expected.
 */
export type Verdict = "exact" | "wrong" | "invented";

export function readByUs(one: Case): Verdict {
  return verdictOf(one, detect(one.text, optionsOf(one)));
}

/**
 * Reads each case as users of the package would: the whole text with `wrapGenerate`, and if the result is not exact, the
 * pieces of the case's recording with `wrapStream`. The better result counts.
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

/** Judges the parts that a reader returns. A reader that throws has found nothing. */
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

/** Converts parts to this project's events, so that one scorer judges all readers. */
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
