/**
 * Shows the arguments of a call as JSON text while they arrive, for formats that do not write JSON. Shows at once only arguments
 * that the tool has: a text piece by piece, any other value when all of it has been read. If the final value of an argument
 * differs from what was shown, shows the argument again. The pieces of a call, joined, always parse to its arguments.
 */
import {
  branches,
  isClosed,
  isForbidden,
  isObject,
  parametersSchema,
  propertyNames,
  type Schema,
} from "@localharness/schema";
import { coerceArguments } from "../call/coerce-arguments.ts";
import type { CallDraft } from "../call/draft.ts";
import { isWrapperKey } from "../call/unwrap.ts";
import type { Scan } from "../scan/scan.ts";
import type { JsonValue } from "../types.ts";
import { certainText, type TextRules } from "./certain-text.ts";

export interface ShownText {
  /** Adds a piece of the text as it is written. With `restart`, a CDATA section begins, and earlier pieces are dropped. */
  piece(text: string, restart?: boolean): void;
  /** Ends what has been shown, because the text is different. The end shows all of it again. */
  revoke(): void;
  /**
   * Ends the argument with its final value. A text must begin with the pieces that have been shown, unless it is shorter than
   * they are; then it is shown again.
   */
  end(value: JsonValue): void;
}

/** Returns an object that shows the arguments of a draft. Settling the draft calls its `finish`. */
export function showArguments(scan: Scan, draft: CallDraft): ShownArguments {
  const shown = new ShownArguments(scan, draft);
  draft.shown = shown;
  return shown;
}

export class ShownArguments {
  readonly #scan: Scan;
  readonly #draft: CallDraft;
  readonly #schema: Schema;
  readonly #isCertain: (key: string) => boolean;
  readonly #shown = new Map<string, JsonValue>();
  #open: { readonly key: string; length: number } | undefined;
  #count = 0;

  constructor(scan: Scan, draft: CallDraft) {
    this.#scan = scan;
    this.#draft = draft;
    this.#schema = parametersSchema(draft.tool?.parameters);
    this.#isCertain = certainKeys(this.#schema);
  }

  value(key: string, value: JsonValue): void {
    if (!this.#mayShow(key)) return;
    const typed = coerceArguments({ [key]: value }, this.#schema, new Set(), this.#draft.texts);
    const given = isObject(typed) ? (typed[key] as JsonValue | undefined) : value;
    if (given !== value) this.abandon();
    if (given !== undefined) this.#put(key, given);
  }

  /** Begins a text argument, which is shown piece by piece. */
  text(key: string, rules: TextRules = {}): ShownText {
    const certain = certainText(rules);
    const shows = this.#mayShow(key);
    return {
      piece: (text, restart = false) => {
        if (restart) certain.restart();
        if (shows) this.#grow(key, certain.add(text));
      },
      revoke: () => this.abandon(),
      end: (value) => this.value(key, value),
    };
  }

  /** Shows each argument whose final value has not been shown, then the closing brace. */
  finish(args: { readonly [key: string]: JsonValue }): void {
    const key = this.#open?.key;
    if (key !== undefined && args[key] !== undefined) this.#put(key, args[key]);
    for (const [name, value] of Object.entries(args)) {
      if (!isSame(this.#shown.get(name), value)) this.#put(name, value);
    }
    this.abandon();
    this.#show(this.#count === 0 ? "{}" : "}");
  }

  #mayShow(key: string): boolean {
    return this.#draft.index !== undefined && this.#isCertain(key);
  }

  #put(key: string, value: JsonValue): void {
    const open = this.#open;
    if (open?.key === key && typeof value === "string" && value.length >= open.length) {
      this.#show(JSON.stringify(value.slice(open.length)).slice(1));
      this.#open = undefined;
    } else {
      this.abandon();
      this.#show(`${this.#key(key)}${JSON.stringify(value)}`);
    }
    this.#shown.set(key, value);
  }

  #grow(key: string, text: string): void {
    if (text === "") return;
    const escaped = /["\\\p{Cc}\p{Cs}]/u.test(text) ? JSON.stringify(text).slice(1, -1) : text;
    if (this.#open?.key === key) {
      this.#open.length += text.length;
      this.#show(escaped);
    } else {
      this.abandon();
      this.#open = { key, length: text.length };
      this.#show(`${this.#key(key)}"${escaped}`);
    }
  }

  /** Ends the text that is being shown, because the argument turned out to be different. */
  abandon(): void {
    if (!this.#open) return;
    this.#shown.delete(this.#open.key);
    this.#open = undefined;
    this.#show('"');
  }

  #key(key: string): string {
    this.#count += 1;
    return `${this.#count === 1 ? "{" : ","}${JSON.stringify(key)}:`;
  }

  #show(argumentsText: string): void {
    const { index } = this.#draft;
    if (index !== undefined) this.#scan.out.add({ type: "tool-call-delta", index, argumentsText });
  }
}

/**
 * Returns a test for keys that are certainly arguments. Other keys may be dropped or renamed. If the schema is a union, no key is
 * certain before all keys are known.
 */
function certainKeys(schema: Schema): (key: string) => boolean {
  const declared = new Set(propertyNames(schema));
  const isUnion = branches(schema).length > 0 && !isObject(schema.node["properties"]);
  if (isUnion || (declared.size === 0 && isClosed(schema))) return () => false;
  if (declared.size === 0) return (key) => !isWrapperKey(key) && !isForbidden(schema, key);
  return (key) => declared.has(key) && !isForbidden(schema, key);
}

function isSame(shown: JsonValue | undefined, value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return shown === value;
  return typeof shown === "object" && JSON.stringify(shown) === JSON.stringify(value);
}
