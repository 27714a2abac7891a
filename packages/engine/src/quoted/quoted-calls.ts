/**
 * Remembers the calls in the texts that a model was given, because a call in the model's own text may be a copy of such a call.
 * Reads the messages and the descriptions of tools only when a call comes as text, and each of them once. Keeps the newest
 * 10,000 calls, and the words of the newest texts up to 4,000,000 characters, which is more than a model can see; those of the
 * system prompt and of descriptions apart, because every request has them.
 */
import type { JsonObject, ModelMessage, ToolCall } from "@localharness/protocol";
import { readArguments } from "../arguments/read.ts";
import { callKey } from "../guards/duplicates.ts";
import type { ToolDefinition } from "../model.ts";
import type { ToolRegistry } from "../registry.ts";
import { createSourceReader, type Source, sourceOfTool } from "./sources.ts";
import { isToldIn, type Piece, piecesOf } from "./told-in.ts";
import { decodings } from "./unescaped.ts";
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

/** The same for the words of all readings of a text, which has several if it has escapes. */
const maxReadChars = 16_000_000;

interface KeptText {
  readonly label: string;
  /** The words of each reading of the text. */
  readonly words: readonly string[];
}

interface Shelf {
  add(text: KeptText): void;
  /** Returns the newest text that contains the call. */
  find(pieces: readonly Piece[]): KeptText | undefined;
}

/** Returns an empty list of texts, which forgets the oldest beyond its limits. */
function createShelf(): Shelf {
  const texts: (KeptText & { readonly length: number; readonly all: number })[] = [];
  let length = 0;
  let all = 0;
  return {
    add(text) {
      const lengths = text.words.map((words) => words.length);
      const added = {
        ...text,
        length: Math.max(0, ...lengths),
        all: lengths.reduce((sum, one) => sum + one, 0),
      };
      texts.push(added);
      length += added.length;
      all += added.all;
      while (texts.length > 1 && (length > maxWordChars || all > maxReadChars)) {
        const oldest = texts.shift();
        length -= oldest?.length ?? 0;
        all -= oldest?.all ?? 0;
      }
    },
    find: (pieces) => texts.findLast(({ words }) => words.some((one) => isToldIn(one, pieces))),
  };
}

/** Returns an object that remembers calls. It uses `messages` and `registry` when a call is looked up. */
export function createQuotedCalls(parts: QuotedCallParts): QuotedCalls {
  const calls = new Map<string, string>();
  const texts = createShelf();
  /** The texts of every request: the system prompt and the descriptions of tools. */
  const lasting = createShelf();
  /** The descriptions of tools that were taken, by the name of the tool. */
  const described = new Map<string, string>();
  const read = createSourceReader(parts.person);
  let taken = 0;

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

  function take({ label, text }: Source, shelf: Shelf): void {
    const { whole, some } = decodings(text);
    const readings = whole.flatMap((one) => [one, withoutQuoting(one)]);
    for (const one of new Set(readings.map((each) => each.slice(0, maxSearchedChars))))
      for (const call of parts.findCalls?.(one, parts.registry().definitions()) ?? []) keepCall(call, label);
    // The search for calls takes long, so that a call with escapes of its own is known by its words only.
    const words = new Set([...readings, ...some].map((one) => wordsOf(one).slice(-maxWordChars)));
    shelf.add({ label, words: [...words] });
  }

  /** Takes the descriptions that come from outside of the program, unless they are known. */
  function takeTools(): void {
    for (const tool of parts.registry().list()) {
      if (tool.foreign !== true) continue;
      const source = sourceOfTool(tool);
      if (described.get(tool.name) === source.text) continue;
      described.set(tool.name, source.text);
      take(source, lasting);
    }
  }

  return {
    sourceOf(call) {
      takeTools();
      const messages = parts.messages();
      for (; taken < messages.length; taken += 1) {
        const message = messages[taken];
        const shelf = message?.role === "system" ? lasting : texts;
        if (message !== undefined) for (const source of read(message)) take(source, shelf);
      }
      const args = readArguments(call.arguments);
      if (!args.ok) return undefined;
      const known = calls.get(keyOf(call.name, args.value));
      if (known !== undefined) return known;
      const pieces = piecesOf(call.name, args.value);
      return pieces && (texts.find(pieces) ?? lasting.find(pieces))?.label;
    },
  };
}
