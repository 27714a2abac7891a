/**
 * Remembers the calls that stand in what a model was given, so that one read from its text is known to be a copy. Nothing is
 * read before the first call that came as text, and no message twice. What is kept is bounded: the newest 10,000 calls, and
 * the words of the newest texts up to 4,000,000 characters, which is more than a model can see.
 */
import type { JsonObject, ModelMessage, ToolCall } from "@localharness/protocol";
import { readArguments } from "../arguments/read.ts";
import { callKey } from "../guards/repeats.ts";
import type { ToolDefinition } from "../model.ts";
import type { ToolRegistry } from "../registry.ts";
import { createSourceReader, type Source } from "./sources.ts";
import { isToldIn, piecesOf } from "./told-in.ts";
import { withoutQuoting, wordsOf } from "./without-quoting.ts";

/** A call that stands in a text, its arguments typed or not. */
export interface FoundCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** The calls that stand in a text, in whatever form. It must not throw. */
export type FindCalls = (text: string, tools: readonly ToolDefinition[]) => readonly FoundCall[];

export interface QuotedCalls {
  /** Where the model has a call from that stands in what it was given, in words; undefined when it stands nowhere. */
  sourceOf(call: ToolCall): string | undefined;
}

export interface QuotedCallParts {
  messages(): readonly ModelMessage[];
  registry(): ToolRegistry;
  /** Absent: calls are known again by their text alone. */
  readonly findCalls?: FindCalls;
  /** What a person's message is to the person. */
  readonly person: string;
}

const mostCalls = 10_000;
const mostWords = 4_000_000;
/** Of one text; calls further on are known again by their text. */
const mostSearched = 1_000_000;

interface KeptText {
  readonly label: string;
  readonly words: string;
}

export function createQuotedCalls(parts: QuotedCallParts): QuotedCalls {
  const calls = new Map<string, string>();
  const texts: KeptText[] = [];
  const read = createSourceReader(parts.person);
  let taken = 0;
  let length = 0;

  /** The same for the same call, however its tool and its arguments are named. */
  function keyOf(name: string, args: JsonObject): string {
    const registry = parts.registry();
    const checked = registry.validateInput(name, args);
    return callKey(registry.find(name)?.tool.name ?? name, checked.ok ? checked.arguments : args);
  }

  function keepCall({ name, arguments: args }: FoundCall, label: string): void {
    const key = keyOf(name, args);
    calls.delete(key);
    calls.set(key, label);
    for (const oldest of calls.keys()) {
      if (calls.size <= mostCalls) break;
      calls.delete(oldest);
    }
  }

  function keepText(label: string, kept: string): void {
    const newest = kept.slice(-mostWords);
    texts.push({ label, words: newest });
    length += newest.length;
    while (length > mostWords) length -= texts.shift()?.words.length ?? length;
  }

  function take({ label, text, isContent }: Source): void {
    const plain = withoutQuoting(text);
    const found = new Set([text, plain].map((one) => one.slice(0, mostSearched)));
    for (const one of found)
      for (const call of parts.findCalls?.(one, parts.registry().definitions()) ?? []) keepCall(call, label);
    if (isContent) for (const kept of new Set([wordsOf(text), wordsOf(plain)])) keepText(label, kept);
  }

  return {
    sourceOf(call) {
      const messages = parts.messages();
      for (; taken < messages.length; taken++) {
        const message = messages[taken];
        if (message !== undefined) for (const source of read(message)) take(source);
      }
      const args = readArguments(call.arguments);
      if (!args.ok) return undefined;
      const known = calls.get(keyOf(call.name, args.value));
      if (known !== undefined) return known;
      const pieces = piecesOf(call.name, args.value);
      return pieces && texts.findLast((text) => isToldIn(text.words, pieces))?.label;
    },
  };
}
