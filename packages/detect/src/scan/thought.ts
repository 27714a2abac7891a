/**
 * Reads thoughts, and calls inside them. A call in a thought is accepted only if nothing but more calls and the end of the
 * thought follows it in the reply. Otherwise the model only considered the call, and it stays reasoning.
 */
import { type Reader, skipSpace, take, takeFirst } from "./input.ts";
import {
  type Opener,
  openersHere,
  type Refusal,
  type Session,
  type Standing,
  tryOpeners,
} from "./session.ts";
import { isQuoted } from "./standing.ts";

interface ThoughtTag {
  readonly open: string;
  readonly close: string;
  readonly standing: Standing;
  /** The rest of the opening mark that the model writes itself, if the prompt ends inside the mark. */
  readonly rest?: string;
}

const thoughtTags: readonly ThoughtTag[] = [
  { open: "<think>", close: "</think>", standing: "line" },
  { open: "<thinking>", close: "</thinking>", standing: "line" },
  { open: "<thought>", close: "</thought>", standing: "line" },
  { open: "<seed:think>", close: "</seed:think>", standing: "line" },
  { open: "<longcat_think>", close: "</longcat_think>", standing: "line" },
  { open: "<mm:think>", close: "</mm:think>", standing: "line" },
  { open: "◁think▷", close: "◁/think▷", standing: "anywhere" },
  { open: "[THINK]", close: "[/THINK]", standing: "anywhere" },
  { open: "<|channel>thought\n", close: "<channel|>", standing: "anywhere", rest: "thought\n" },
  { open: "<|channel>", close: "<channel|>", standing: "anywhere", rest: "thought\n" },
  { open: "<|START_THINKING|>", close: "<|END_THINKING|>", standing: "anywhere" },
  { open: "<|open|>think<|sep|>", close: "<|close|>think<|sep|>", standing: "anywhere" },
  { open: "<|inner_prefix|>", close: "<|inner_suffix|>", standing: "anywhere" },
];

/** The end tags that can end a thought opened by the prompt. */
export const allThoughtEnds: readonly string[] = thoughtTags.map((tag) => tag.close);

export function thoughtOpeners(): Opener[] {
  const shared = { format: "hermes", kind: "thought" } as const;
  return thoughtTags.flatMap((tag): Opener[] => [
    { ...shared, literal: tag.open, standing: tag.standing, read: (session) => openThought(session, tag) },
    {
      ...shared,
      literal: tag.close,
      standing: "anywhere",
      glance: (session) => mayClose(session, tag.close) || endsPromptThought(session, tag),
      read: (session) => closeThought(session, tag),
    },
  ]);
}

function* openThought(session: Session, tag: ThoughtTag): Reader<boolean> {
  const { input, out } = session;
  if (session.thoughtEnds.length > 0) {
    // The prompt opened the thought, and the model opens it again.
    if (out.recentText().trim() !== "") return false;
  } else if (tag.standing === "anywhere" && isQuoted(out.recentText())) {
    return false;
  }
  yield* take(input, tag.open);
  startThought(session, [tag.close]);
  return true;
}

/** Makes the text from here on reasoning, until one of the ends. */
export function startThought(session: Session, ends: readonly string[]): void {
  session.thoughtEnds = ends;
  session.reply = undefined;
  session.out.forgetText();
  session.out.channel = "reasoning";
}

function* closeThought(session: Session, tag: ThoughtTag): Reader<boolean> {
  const { input, out, reply } = session;
  const unopened = endsPromptThought(session, tag);
  if (!unopened && !mayClose(session, tag.close)) return false;
  if (unopened && reply) {
    const thought = reply.upTo(input.offset);
    const { rest } = tag;
    out.restart(rest !== undefined && thought.startsWith(rest) ? thought.slice(rest.length) : thought);
  }
  session.reply = undefined;
  yield* take(input, tag.close);
  endThought(session);
  return true;
}

/**
 * Returns true if the end tag ends a thought that the prompt has opened. The whole reply before the tag was then the thought.
 * Returns false in a thought, message or fence, and before any text. If the text only mentions the tag (in quotation marks, in
 * a sentence, or after its opening tag), returns false and clears `session.reply`, so that later end tags do not count either.
 */
function endsPromptThought(session: Session, { open }: ThoughtTag): boolean {
  const { reply, thoughtEnds, message, openFence, input, out } = session;
  const isInside = thoughtEnds.length > 0 || message !== undefined || openFence !== undefined;
  if (reply === undefined || isInside || !out.hasOutput) return false;
  const before = reply.upTo(input.offset);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const isMention = before.includes(open) || isQuoted(before.slice(-600)) || inSentence.test(line);
  if (isMention) session.reply = undefined;
  return !isMention;
}

/** Matches the part of a line before a tag if the tag is a word of a sentence, as in `Say </think>` or `(</think>`. */
const inSentence = /[\p{L}\p{N},([{]\s+$|[([{|]$/u;

/**
 * Returns true if the end tag closes an open thought, or if nothing is before it in the reply. Returns false after other
 * text, which may be about the tag.
 */
function mayClose({ thoughtEnds, out }: Session, close: string): boolean {
  return thoughtEnds.includes(close) || (thoughtEnds.length === 0 && !out.hasOutput);
}

function endThought(session: Session): void {
  session.thoughtEnds = [];
  session.out.channel = "text";
  session.out.forgetText();
}

/** Reads calls inside a thought. They become calls if at most the end of the thought follows them, else reasoning. */
export function* readCallInThought(session: Session, calls: readonly Opener[]): Reader<Refusal> {
  const { input, out } = session;
  const mark = input.hold();
  out.begin();
  const refusal = yield* tryOpeners(session, calls);
  if (refusal !== undefined) {
    out.drop();
    input.release();
    return refusal;
  }
  const end = yield* readFollowingCalls(session);
  if ((yield* skipSpace(input)) === -1) {
    out.commit();
    endThought(session);
  } else {
    out.drop();
    input.rewind(mark);
    out.text(input.takeTo(end));
  }
  input.release();
  return undefined;
}

/** Reads further calls, with only white space before each, and the end of the thought. Returns the offset after the last call. */
function* readFollowingCalls(session: Session): Reader<number> {
  const { input } = session;
  let end = input.offset;
  for (;;) {
    yield* skipSpace(input);
    if ((yield* takeFirst(input, session.thoughtEnds)) !== undefined) return end;
    const found = yield* openersHere(session);
    const calls = found?.values.filter((opener) => opener.kind === "framed") ?? [];
    if (calls.length === 0 || (yield* tryOpeners(session, calls)) !== undefined) return end;
    end = input.offset;
  }
}
