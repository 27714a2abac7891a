/** Declares the state that all readers of one reply share. Finds openers in the text and tries their readers. */
import type { ToolIndex } from "../call/tool-index.ts";
import type { CallFormat } from "../types.ts";
import type { Input, Reader } from "./input.ts";
import type { LiteralMatch, Literals } from "./literals.ts";
import type { Output } from "./output.ts";
import type { ReplyText } from "./reply-text.ts";
import type { Triggers } from "./triggers.ts";

/**
 * The places where an opener is valid. `anywhere`: everywhere, as it is markup that prose does not use. `line`: with only
 * white space and Markdown marks before it on its line. `word`: not right after a letter, a digit, `_`, `.` or `$`.
 * `value`: not inside other data or code. `start`: at the very beginning of the reply.
 */
export type Standing = "anywhere" | "line" | "word" | "value" | "start";

/** A literal with which a call, a thought or a fence can begin, or an end mark, and its reader. */
export interface Opener {
  readonly literal: string;
  readonly format: CallFormat;
  readonly standing: Standing;
  /**
   * The kind of text that begins with the literal. `framed` is a call in markup, `plain` a call that looks like ordinary
   * text, `thought` a mark of a thought or of a message, `end` an end tag.
   */
  readonly kind: "framed" | "plain" | "fence" | "thought" | "end";
  /** True for a call without a frame around it. In the middle of a line such a call is text. */
  readonly frameless?: boolean;
  /**
   * Looks at the text around the literal before `read` is called, because `read` costs more and most matches are not
   * calls. Returns false if the literal cannot open anything here, and "more" if more text is needed to know.
   */
  glance?(scan: Scan): boolean | "more";
  /**
   * Reads from the literal's first character on. The raw text of the call begins at `mark`. Returns true if all that it
   * read has become events or is dropped, false if the literal is ordinary text; the position may then be anywhere.
   */
  read(scan: Scan, mark: number): Reader<boolean>;
}

export interface Scan {
  readonly input: Input;
  readonly out: Output;
  readonly tools: ToolIndex;
  readonly openers: Literals<Opener>;
  /** Openers that are valid only at the very beginning of the reply. */
  readonly starters: readonly Opener[];
  readonly triggers: Triggers;
  /** The name of the model as `foldModel` returns it; empty if unknown. */
  readonly model: string;
  /** True while no text is held back and no opener is being read. */
  idle: boolean;
  /** The openers to try next, all at the current position. */
  found: readonly Opener[] | undefined;
  /** The code of the last character before the current position; a line feed at the start and after markup. */
  lastCode: number;
  /** The message that is open, in formats whose replies are a series of messages: an answer to the person, or another message. */
  message: "answer" | "other" | undefined;
  /** True once a message to a tool has been read. */
  addressed: boolean;
  /** The reply so far; undefined once no `restart` can follow, as after a thought or in too long a reply. */
  reply: ReplyText | undefined;
  /** The literals that end the current thought; empty outside of a thought. */
  thoughtEnds: readonly string[];
  /** The fence that closes the current code block; undefined outside of a block. */
  openFence: string | undefined;
  /** True if the current code block began after words on its line. */
  fenceInLine: boolean;
  /** True while the calls inside a fence are read. */
  insideFence: boolean;
  /** The end tags that calls lacked. If one comes later in the text, it is dropped. */
  readonly awaitedEnds: Set<string>;
  /** True if only calls that stand alone are read (`DetectorOptions.onlyAlone`). */
  readonly onlyAlone: boolean;
  /** True once a code fence has been found. */
  hadFence: boolean;
  /** True if the current line has text before markup. `Output` forgets recent text at such markup, so this remembers it. */
  midLine: boolean;
  /** The number of characters in which a further call was looked for after a call and not found. */
  triedInVain: number;
  /** The number of characters in which the end of a value was looked for and not found. */
  lookedInVain: number;
}

/** Returns an opener for calls that are framed by markup. */
export function framedOpener(
  literal: string,
  format: CallFormat,
  read: Opener["read"],
  standing: Standing = "anywhere",
): Opener {
  return { literal, format, standing, kind: "framed", read };
}

/** Returns an opener for calls that are in markup, but have no frame. */
export function framelessOpener(
  ...[literal, format, read, standing]: Parameters<typeof framedOpener>
): Opener {
  return { ...framedOpener(literal, format, read, standing), frameless: true };
}

/** Returns the longest literal here, with its openers; undefined for none. Waits while a longer one is possible. */
export function* openersHere(scan: Scan): Reader<LiteralMatch<Opener> | undefined> {
  const { input, openers } = scan;
  for (;;) {
    const found = openers.match(input.text, input.pos, input.ended);
    if (found !== "more") return found;
    yield;
  }
}

/** The result of trying openers: undefined if one took the text, else the furthest offset to which any of them read. */
export type FurthestRead = number | undefined;

/**
 * Tries the openers one after another. If none of them takes the text, the position does not change. Events that a reader
 * began to hold aside are kept if it took the text, else dropped. If events were held aside before, the caller decides. The raw
 * text of a call begins at the held offset `rawFrom`, by default here.
 */
export function* tryOpeners(
  scan: Scan,
  candidates: readonly Opener[],
  rawFrom?: number,
): Reader<FurthestRead> {
  const { input, out } = scan;
  const nested = out.isAside;
  const mark = input.hold();
  let furthest = mark;
  for (const opener of candidates) {
    const taken = yield* opener.read(scan, rawFrom ?? mark);
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

/** The state that readers change, apart from the events held aside. It is restored if what was read becomes text. */
type State = Pick<Scan, "message" | "addressed" | "thoughtEnds"> & { readonly channel: Output["channel"] };

export function stateOf({ message, addressed, thoughtEnds, out }: Scan): State {
  return { message, addressed, thoughtEnds, channel: out.channel };
}

export function restoreState(scan: Scan, { channel, ...state }: State): void {
  Object.assign(scan, state);
  scan.out.channel = channel;
}
