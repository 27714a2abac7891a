/**
 * Reads thoughts, and calls inside them. A call in a thought is accepted only if nothing but more calls and the end of the
 * thought follows it in the reply. Otherwise the model only considered the call, and it stays reasoning.
 */
import { eventsOf } from "./call-run.ts";
import { greaterThan } from "./characters.ts";
import { at, endOf, type Input, peek, type Reader, skipSpace, spaceEnd, take, takeFirst } from "./input.ts";
import { type FurthestRead, type Opener, openersHere, type Scan, type Standing, tryOpeners } from "./scan.ts";
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

/** The beginning of `</think:SUFFIX>`. */
const suffixedEnd = "</think:";

/** The end tags that can end a thought opened by the prompt. */
export const allThoughtEnds: readonly string[] = thoughtTags.map((tag) => tag.close);

export function thoughtOpeners(): Opener[] {
  const shared = { format: "hermes", kind: "thought" } as const;
  const openers = thoughtTags.flatMap((tag): Opener[] => [
    { ...shared, literal: tag.open, standing: tag.standing, read: (scan) => openThought(scan, tag) },
    {
      ...shared,
      literal: tag.close,
      standing: "anywhere",
      glance: (scan) => mayClose(scan, tag.close) || endsPromptThought(scan, tag),
      read: (scan) => closeThought(scan, tag),
    },
  ]);
  return [...openers, ...suffixedOpeners()];
}

/**
 * Returns the openers of `<think:SUFFIX>` and its end mark, which Hunyuan 3 writes: its marks have the name of a variant of the
 * model after a colon.
 */
function suffixedOpeners(): Opener[] {
  const shared = { format: "hermes", kind: "thought" } as const;
  const open = { ...shared, literal: "<think:", standing: "line" } as const;
  const close = { ...shared, literal: suffixedEnd, standing: "anywhere" } as const;
  return [
    {
      ...open,
      glance: ({ input }) => asAnswer(suffixedTag(input, open.literal)),
      *read(scan) {
        const tag = suffixedTag(scan.input, open.literal);
        return typeof tag === "object" && (yield* openThought(scan, tag));
      },
    },
    {
      ...close,
      glance(scan) {
        const tag = suffixedTag(scan.input, close.literal);
        return typeof tag === "object"
          ? mayClose(scan, tag.close) || endsPromptThought(scan, tag)
          : asAnswer(tag);
      },
      *read(scan) {
        const tag = suffixedTag(scan.input, close.literal);
        return typeof tag === "object" && (yield* closeThought(scan, tag));
      },
    },
  ];
}

function asAnswer(tag: ThoughtTag | "more" | undefined): boolean | "more" {
  return tag === "more" ? tag : tag !== undefined;
}

/** Returns the tag whose mark begins with the literal here; "more" if more text is needed to know, undefined for none. */
function suffixedTag({ text, pos, ended }: Input, literal: string): ThoughtTag | "more" | undefined {
  const rest = text.slice(pos + literal.length, pos + literal.length + 41);
  const suffix = /^[\w-]{0,39}/.exec(rest)?.[0] ?? "";
  if (rest.length === suffix.length) return ended ? undefined : "more";
  if (suffix === "" || rest.charAt(suffix.length) !== ">") return undefined;
  return { open: `<think:${suffix}>`, close: `</think:${suffix}>`, standing: "line" };
}

function* openThought(scan: Scan, tag: ThoughtTag): Reader<boolean> {
  const { input, out } = scan;
  if (scan.thoughtEnds.length > 0) {
    // The prompt opened the thought, and the model opens it again.
    if (out.recentText().trim() !== "") return false;
  } else if (tag.standing === "anywhere" && isQuoted(out.recentText())) {
    return false;
  }
  yield* take(input, tag.open);
  startThought(scan, tag.close.startsWith(suffixedEnd) ? [tag.close, "</think>"] : [tag.close]);
  return true;
}

/** Makes the text from here on reasoning, until one of the ends. */
export function startThought(scan: Scan, ends: readonly string[]): void {
  scan.thoughtEnds = ends;
  scan.reply = undefined;
  scan.out.forgetText();
  scan.out.channel = "reasoning";
}

function* closeThought(scan: Scan, tag: ThoughtTag): Reader<boolean> {
  const { input, out, reply } = scan;
  const unopened = endsPromptThought(scan, tag);
  if (!unopened && !mayClose(scan, tag.close)) return false;
  if (unopened && reply) {
    // Calls at the end of the thought count if nothing follows them.
    const calls = out.lastCalls();
    const { from } = calls;
    const ends = from !== undefined && (yield* nothingFollows(input, tag.close));
    const thought = reply.upTo(ends ? from : input.offset);
    const { rest } = tag;
    const text = rest !== undefined && thought.startsWith(rest) ? thought.slice(rest.length) : thought;
    out.restart(text, ends ? eventsOf(calls) : []);
  }
  scan.reply = undefined;
  yield* take(input, tag.close);
  endThought(scan);
  return true;
}

function* nothingFollows(input: Input, literal: string): Reader<boolean> {
  return (yield* peek(input, yield* spaceEnd(input, literal.length, Number.POSITIVE_INFINITY))) === -1;
}

/**
 * Returns true if the end tag ends a thought that the prompt has opened. The whole reply before the tag was then the thought.
 * Returns false in a thought, message or fence, and before any text. If the text only mentions the tag (in quotation marks, in
 * a sentence, or after its opening tag), returns false and clears `scan.reply`, so that later end tags do not count either.
 */
function endsPromptThought(scan: Scan, { open }: ThoughtTag): boolean {
  const { reply, thoughtEnds, message, openFence, input, out } = scan;
  const isInside = thoughtEnds.length > 0 || message !== undefined || openFence !== undefined;
  if (reply === undefined || isInside || !out.hasOutput) return false;
  const before = reply.upTo(input.offset);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const isAfterText =
    out.lastCalls().from === undefined && (isQuoted(before.slice(-600)) || inSentence.test(line));
  const isMention = before.includes(open) || isAfterText;
  if (isMention) scan.reply = undefined;
  return !isMention;
}

/** Matches the part of a line before a tag if the tag is a word of a sentence, as in `Say </think>` or `(</think>`. */
const inSentence = /[\p{L}\p{N},([{]\s+$|[([{|]$/u;

/**
 * Returns true if the end tag closes an open thought, or if nothing is before it in the reply. Returns false after other
 * text, which may be about the tag.
 */
function mayClose({ thoughtEnds, out }: Scan, close: string): boolean {
  const plain = close.startsWith(suffixedEnd) ? "</think>" : close;
  return (
    [close, plain].some((end) => thoughtEnds.includes(end)) || (thoughtEnds.length === 0 && !out.hasOutput)
  );
}

function endThought(scan: Scan): void {
  scan.thoughtEnds = [];
  scan.out.channel = "text";
  scan.out.forgetText();
}

/** Reads calls inside a thought. They become calls if at most the end of the thought follows them, else reasoning. */
export function* readCallInThought(scan: Scan, calls: readonly Opener[]): Reader<FurthestRead> {
  const { input, out } = scan;
  const mark = input.hold();
  out.begin();
  const refusal = yield* tryOpeners(scan, calls);
  if (refusal !== undefined) {
    out.drop();
    input.release();
    return refusal;
  }
  const end = yield* readFollowingCalls(scan);
  if ((yield* skipSpace(input)) === -1) {
    out.commit();
    endThought(scan);
  } else {
    out.drop();
    input.rewind(mark);
    out.text(input.takeTo(end));
  }
  input.release();
  return undefined;
}

/** Reads further calls, with only white space before each, and the end of the thought. Returns the offset after the last call. */
function* readFollowingCalls(scan: Scan): Reader<number> {
  const { input } = scan;
  let end = input.offset;
  for (;;) {
    yield* skipSpace(input);
    if (yield* takeEnd(scan)) return end;
    const found = yield* openersHere(scan);
    const calls = found?.values.filter((opener) => opener.kind === "framed") ?? [];
    if (calls.length === 0 || (yield* tryOpeners(scan, calls)) !== undefined) return end;
    end = input.offset;
  }
}

function* takeEnd({ input, thoughtEnds }: Scan): Reader<boolean> {
  if ((yield* takeFirst(input, thoughtEnds)) !== undefined) return true;
  if (!(yield* at(input, suffixedEnd)) || !thoughtEnds.includes("</think>")) return false;
  const end = yield* endOf(input, 0, 80, (code) => code !== greaterThan);
  if ((yield* peek(input, end)) !== greaterThan) return false;
  input.pos += end + 1;
  return true;
}
