/**
 * Thoughts: what opens and closes them, and what becomes of a call inside one. A call in a thought is taken only when the
 * reply has nothing after it, not even text after the thought's end; otherwise it was a rehearsal and stays reasoning.
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
}

const thoughtTags: readonly ThoughtTag[] = [
  { open: "<think>", close: "</think>", standing: "line" },
  { open: "<thinking>", close: "</thinking>", standing: "line" },
  { open: "<thought>", close: "</thought>", standing: "line" },
  { open: "<seed:think>", close: "</seed:think>", standing: "line" },
  { open: "<longcat_think>", close: "</longcat_think>", standing: "line" },
  { open: "<mm:think>", close: "</mm:think>", standing: "line" },
  { open: "[THINK]", close: "[/THINK]", standing: "anywhere" },
  { open: "<|channel>thought\n", close: "<channel|>", standing: "anywhere" },
  { open: "<|channel>", close: "<channel|>", standing: "anywhere" },
  { open: "<|START_THINKING|>", close: "<|END_THINKING|>", standing: "anywhere" },
  { open: "<|open|>think<|sep|>", close: "<|close|>think<|sep|>", standing: "anywhere" },
  { open: "<|inner_prefix|>", close: "<|inner_suffix|>", standing: "anywhere" },
];

/** Everything that can end a thought which the prompt opened. */
export const allThoughtEnds: readonly string[] = thoughtTags.map((tag) => tag.close);

export function thoughtOpeners(): Opener[] {
  const shared = { format: "hermes", kind: "thought" } as const;
  return thoughtTags.flatMap((tag): Opener[] => [
    { ...shared, literal: tag.open, standing: tag.standing, read: (session) => openThought(session, tag) },
    {
      ...shared,
      literal: tag.close,
      standing: "anywhere",
      glance: (session) => mayClose(session, tag.close),
      read: (session) => closeThought(session, tag.close),
    },
  ]);
}

function* openThought(session: Session, tag: ThoughtTag): Reader<boolean> {
  const { input, out } = session;
  if (session.thoughtEnds.length > 0) {
    // The prompt had opened the thought and the model opens it again.
    if (out.recentText().trim() !== "") return false;
  } else if (tag.standing === "anywhere" && isQuoted(out.recentText())) {
    return false;
  }
  yield* take(input, tag.open);
  startThought(session, [tag.close]);
  return true;
}

/** From here on text is reasoning, until one of the ends. */
export function startThought(session: Session, ends: readonly string[]): void {
  session.thoughtEnds = ends;
  session.out.forgetText();
  session.out.channel = "reasoning";
}

function* closeThought(session: Session, close: string): Reader<boolean> {
  if (!mayClose(session, close)) return false;
  yield* take(session.input, close);
  endThought(session);
  return true;
}

/** Tells whether a lone end tag is markup: it is at the very start of a reply; after text it may be what the text is about. */
function mayClose({ thoughtEnds, out }: Session, close: string): boolean {
  return thoughtEnds.includes(close) || (thoughtEnds.length === 0 && !out.hasOutput);
}

function endThought(session: Session): void {
  session.thoughtEnds = [];
  session.out.channel = "text";
  session.out.forgetText();
}

/** Reads calls inside a thought aside; they count only when nothing else follows. */
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

/** Reads all calls that follow with only white space between, and the end of the thought; returns where the last call ended. */
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
