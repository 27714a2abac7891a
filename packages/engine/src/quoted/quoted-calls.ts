/**
 * Remembers the calls in the texts that a model was given, because a call in the model's own text may be a copy of such a call.
 * Reads the messages only when a call comes as text, and each message once. Keeps the newest 10,000 calls, and the words of the
 * newest texts up to 4,000,000 characters, which is more than a model can see.
 */
import type { JsonObject, ModelMessage, ToolCall } from "@localharness/protocol";
import { readArguments } from "../arguments/read.ts";
import { callKey } from "../guards/duplicates.ts";
import type { ToolDefinition } from "../model.ts";
import type { ToolRegistry } from "../registry.ts";
import { createSourceReader, type Source } from "./sources.ts";
import { isToldIn, piecesOf } from "./told-in.ts";
import { withoutQuoting, wordsOf } from "./without-quoting.ts";

/** A call that was found in a text. Its arguments need not have the types of the schema. */
export interface FoundCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** Returns the calls in a text, in any format. Must not throw. */
export type FindCalls = (text: string, tools: readonly ToolDefinition[]) => readonly FoundCall[];

export interface QuotedCalls {
  /** Returns a description of a text that contains the call; undefined if none does, or if its arguments are unreadable. */
  sourceOf(call: ToolCall): string | undefined;
}

export interface QuotedCallParts {
  messages(): readonly ModelMessage[];
  registry(): ToolRegistry;
  /** Finds the calls in a text. If it is absent, calls are recognised only by their words. */
  readonly findCalls?: FindCalls;
  /** The description of a message of the person, such as `your message`. */
  readonly person: string;
}

const maxCalls = 10_000;
const maxWordChars = 4_000_000;
/** The maximum number of characters of a text that are searched for calls. Later calls are recognised only by words. */
const maxSearchedChars = 1_000_000;

interface KeptText {
  readonly label: string;
  readonly words: string;
}

/** Returns an object that remembers calls. It uses `messages` and `registry` when a call is looked up. */
export function createQuotedCalls(parts: QuotedCallParts): QuotedCalls {
  const calls = new Map<string, string>();
  const texts: KeptText[] = [];
  const read = createSourceReader(parts.person);
  let taken = 0;
  let length = 0;

  /** Returns a text that is equal for equal calls, even if they use aliases of the tool or its parameters. */
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
      if (calls.size <= maxCalls) break;
      calls.delete(oldest);
    }
  }

  function keepText(label: string, kept: string): void {
    const newest = kept.slice(-maxWordChars);
    texts.push({ label, words: newest });
    length += newest.length;
    while (length > maxWordChars) length -= texts.shift()?.words.length ?? length;
  }

  function take({ label, text, isContent }: Source): void {
    const plain = withoutQuoting(text);
    const found = new Set([text, plain].map((one) => one.slice(0, maxSearchedChars)));
    for (const one of found)
      for (const call of parts.findCalls?.(one, parts.registry().definitions()) ?? []) keepCall(call, label);
    if (isContent) for (const kept of new Set([wordsOf(text), wordsOf(plain)])) keepText(label, kept);
  }

  return {
    sourceOf(call) {
      const messages = parts.messages();
      for (; taken < messages.length; taken += 1) {
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
