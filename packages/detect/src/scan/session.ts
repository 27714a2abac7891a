/** Declares the state that all readers of one reply share, and finds and tries the reader of a format. */
import type { ToolIndex } from "../call/tool-index.ts";
import type { CallFormat } from "../types.ts";
import type { Input, Reader } from "./input.ts";
import type { LiteralMatch, Literals } from "./literals.ts";
import type { Output } from "./output.ts";
import type { Triggers } from "./triggers.ts";

/**
 * Where an opener may stand. `anywhere`: it is markup that prose does not use. `line`: first on its line. `word`: not inside
 * a word. `value`: not as a part of other data or code. `start`: at the very beginning of the reply.
 */
export type Standing = "anywhere" | "line" | "word" | "value" | "start";

/** One way in which a call, a thought or a fence can begin. */
export interface Opener {
  readonly literal: string;
  readonly format: CallFormat;
  readonly standing: Standing;
  /** The kind of thing that it opens: a call in markup, a call that looks like text, or something else. */
  readonly kind: "framed" | "plain" | "fence" | "thought" | "end";
  /**
   * A glance at the literal at the current position, at what follows it and what stands before it: false when it cannot be
   * this, "more" when that needs more text. It costs less than `read`, and text seldom is what its first characters look like.
   */
  glance?(session: Session): boolean | "more";
  /**
   * Reads on from the literal's first character. True when all it moved over has become events; false, wherever it stopped,
   * when the text is to be read as text.
   */
  read(session: Session, mark: number): Reader<boolean>;
}

export interface Session {
  readonly input: Input;
  readonly out: Output;
  readonly tools: ToolIndex;
  readonly openers: Literals<Opener>;
  /** Openers that count at the very beginning of the reply only. */
  readonly starters: readonly Opener[];
  readonly triggers: Triggers;
  /** True while all text has been passed on and nothing is being read. */
  idle: boolean;
  /** The openers at the current position that are to be tried next. */
  found: readonly Opener[] | undefined;
  /** The last character before the current position; a line feed at the start and after markup. */
  lastCode: number;
  /** The message that is open, in replies that are a series of messages: one for the person, or another one. */
  message: "answer" | "other" | undefined;
  /** True once a message to a tool has been read. */
  addressed: boolean;
  /** Literals that end the current thought; empty outside of one. */
  thoughtEnds: readonly string[];
  /** The fence that closes the current code block; undefined outside of one. */
  openFence: string | undefined;
  /** True while the calls of a fence are read. */
  insideFence: boolean;
  /** End tags of calls that went on without them: met later, they are swallowed. */
  readonly awaitedEnds: Set<string>;
  /** Reads only calls that stand by themselves. */
  readonly onlyAlone: boolean;
  /** True once the mark of a fence has been passed on. */
  hadFence: boolean;
  /** True if the current line had text before markup after which recent text is forgotten. */
  midLine: boolean;
  /** How many characters after calls have been tried for further ones in vain. */
  triedInVain: number;
  /** How many characters have been looked at for the end of a value that has none. */
  lookedInVain: number;
}

/** Returns an opener of calls in a format that marks them. */
export function framedOpener(
  literal: string,
  format: CallFormat,
  read: Opener["read"],
  standing: Standing = "anywhere",
): Opener {
  return { literal, format, standing, kind: "framed", read };
}

/** Returns the openers that stand at the current position; waits while a longer one is possible. */
export function* openersHere(session: Session): Reader<LiteralMatch<Opener> | undefined> {
  const { input, openers } = session;
  for (;;) {
    const found = openers.match(input.text, input.pos, input.ended);
    if (found !== "more") return found;
    yield;
  }
}

/** `undefined` when an opener took the text, else the furthest place that any of them had to look at. */
export type Refusal = number | undefined;

/**
 * Tries the openers one after another from the same place; on refusal the position is back there. What a reader has put
 * aside is handed out when it took the text, and dropped when it did not.
 */
export function* tryOpeners(session: Session, candidates: readonly Opener[]): Reader<Refusal> {
  const { input, out } = session;
  const nested = out.isAside;
  const mark = input.hold();
  let furthest = mark;
  for (const opener of candidates) {
    const taken = yield* opener.read(session, mark);
    input.cutTap();
    if (!nested && out.isAside) {
      if (taken) out.commit();
      else out.drop();
    }
    if (taken) {
      input.release();
      return undefined;
    }
    furthest = Math.max(furthest, input.offset);
    input.rewind(mark);
  }
  input.release();
  return furthest;
}
