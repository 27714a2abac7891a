/**
 * Shows the arguments of a call whose encoding is not JSON as JSON text while they arrive. Only what is certain is shown at
 * once: arguments that the tool declares, when they have been read, and texts while they are. What turns out otherwise is
 * shown once more, so that the joined text of a call parses to its arguments.
 */
import {
  argumentKeys,
  branches,
  isClosed,
  isForbidden,
  isObject,
  parametersSchema,
  propertyNames,
  type Schema,
} from "@localharness/schema";
import { coerceArguments } from "../call/coerce-arguments.ts";
import type { Draft } from "../call/draft.ts";
import type { Session } from "../scan/session.ts";
import type { JsonValue } from "../types.ts";
import { certainText, type TextRules } from "./certain-text.ts";

/** An argument that is being read. */
export interface ShownText {
  /** Takes a further piece of the text as written. With `restart` a section begins, to which earlier pieces do not belong. */
  piece(text: string, restart?: boolean): void;
  /** The argument as it is. A text begins with the pieces that have been shown, or is shorter. */
  end(value: JsonValue): void;
}

/** Keys under which some models put all arguments at once. */
export const wrapperKeys: readonly string[] = [...argumentKeys, "properties"];

/** From here on the arguments of the draft are shown; it finishes them itself when it is settled. */
export function showArguments(session: Session, draft: Draft): ShownArguments {
  const shown = new ShownArguments(session, draft);
  draft.shown = shown;
  return shown;
}

export class ShownArguments {
  readonly #session: Session;
  readonly #draft: Draft;
  readonly #schema: Schema;
  readonly #isCertain: (key: string) => boolean;
  readonly #shown = new Map<string, JsonValue>();
  #open: { readonly key: string; length: number } | undefined;
  #count = 0;

  constructor(session: Session, draft: Draft) {
    this.#session = session;
    this.#draft = draft;
    this.#schema = parametersSchema(draft.tool?.parameters);
    this.#isCertain = certainKeys(this.#schema);
  }

  /** An argument that has been read. */
  value(key: string, value: JsonValue): void {
    if (!this.#mayShow(key)) return;
    const typed = coerceArguments({ [key]: value }, this.#schema, new Set(), this.#draft.typed);
    const given = isObject(typed) ? (typed[key] as JsonValue | undefined) : value;
    if (given !== value) this.abandon();
    if (given !== undefined) this.#put(key, given);
  }

  /** Begins an argument whose pieces are its text. */
  text(key: string, rules: TextRules = {}): ShownText {
    const certain = certainText(rules);
    const shows = this.#mayShow(key);
    return {
      piece: (text, restart = false) => {
        if (restart) certain.restart();
        if (shows) this.#grow(key, certain.add(text));
      },
      end: (value) => this.value(key, value),
    };
  }

  /** All that has not been shown, or not as it is, and the end. */
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

  /** Leaves the text that is open, which does not go on as it began. */
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
    if (index !== undefined) this.#session.out.add({ type: "tool-call-delta", index, argumentsText });
  }
}

/**
 * Tells the keys that will be arguments for certain. Others may be dropped or stand for a declared name, and where the
 * parameters are a union nothing is certain before all keys are known.
 */
function certainKeys(schema: Schema): (key: string) => boolean {
  const declared = new Set(propertyNames(schema));
  const isUnion = branches(schema).length > 0 && !isObject(schema.node["properties"]);
  if (isUnion || (declared.size === 0 && isClosed(schema))) return () => false;
  if (declared.size === 0) return (key) => !wrapperKeys.includes(key) && !isForbidden(schema, key);
  return (key) => declared.has(key) && !isForbidden(schema, key);
}

function isSame(shown: JsonValue | undefined, value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return shown === value;
  return typeof shown === "object" && JSON.stringify(shown) === JSON.stringify(value);
}
