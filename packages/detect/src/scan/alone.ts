/**
 * The strict reading, for models whose calls do not usually come as text: what looks like a call is one only where it stands
 * by itself. It begins its line, no fence and no list, number, quotation or indent is before it, and nothing but calls
 * follows to the end of the reply. All else is quoted, shown or told, and is text.
 */
import { carriageReturn, lineFeed, space, tab } from "./characters.ts";
import { peek, type Reader, takeFirst } from "./input.ts";
import { type Opener, openersHere, type Refusal, type Session, tryOpeners } from "./session.ts";
import { isShown } from "./standing.ts";

/** Special tokens that servers leave at the end of a reply. */
const replyEnds = [
  "<|im_end|>",
  "<|eot_id|>",
  "<|eom_id|>",
  "<|end|>",
  "<|return|>",
  "<end_of_turn>",
  "</s>",
];

/** Text after calls may be read again in vain up to this multiple of the reply's length. */
const vainFactor = 4;
const vainFloor = 8192;

/** Tells whether a call of this kind may begin here at all. */
export function beginsAlone(session: Session, kind: Opener["kind"]): boolean {
  const before = session.out.recentText();
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if (line.length < before.length) session.midLine = false;
  if (session.midLine) return false;
  // Some models begin each reply with one space.
  const isEmpty = line === "" || line === " ";
  if (!isEmpty && !(kind === "thought" && recipient.test(line))) return false;
  if (session.hadFence && (kind === "plain" || endsInFence(before.slice(0, before.length - line.length)))) {
    return false;
  }
  return !isShown(before);
}

/** The text that Glimmer writes before the mark of a message that does not begin the reply. */
const recipient = /^ to=[\w.:-]+$/;

/** Tells whether the last line that is not empty is the mark of a fence: what follows may have stood in a fence that closed early. */
function endsInFence(before: string): boolean {
  const trimmed = before.trimEnd();
  return /^\s*(?:```|~~~)/.test(trimmed.slice(trimmed.lastIndexOf("\n") + 1));
}

/** Reads what begins here, and the calls that follow it; when they turn out not to stand alone all of it is text. */
export function* readAlone(session: Session, candidates: readonly Opener[]): Reader<Refusal> {
  const { input, out } = session;
  const before = stateOf(session);
  const mark = input.hold();
  let furthest = mark;
  for (const opener of candidates) {
    const alone = beginsAlone(session, opener.kind);
    if (!alone && opensWithinText(session, opener)) continue;
    out.begin();
    const refusal = yield* tryOpeners(session, [opener]);
    if (refusal !== undefined) {
      out.drop();
      furthest = Math.max(furthest, refusal);
      continue;
    }
    if (!out.holdsResult()) {
      // After a thought a new line begins; after other markup within a line none does.
      if (!alone && before.channel === out.channel) session.midLine = true;
      out.commit();
    } else {
      const end = alone ? yield* readToEnd(session) : input.offset;
      if (end === undefined) out.commit();
      else {
        out.drop();
        restore(session, before);
        input.rewind(mark);
        out.shownText(input.takeTo(end));
      }
    }
    input.release();
    return undefined;
  }
  input.release();
  return furthest;
}

/** Tells whether markup that opens a message or a thought stands within text: then it is written about. */
function opensWithinText({ message, thoughtEnds }: Session, { kind }: Opener): boolean {
  return kind === "thought" && message === undefined && thoughtEnds.length === 0;
}

/** Reads calls and white space to the end of the reply. Where the last call ended when there is anything else. */
function* readToEnd(session: Session): Reader<number | undefined> {
  const { input, out } = session;
  for (;;) {
    const end = input.offset;
    let breaks = 0;
    let code = yield* peek(input);
    while (code === space || code === tab || code === lineFeed || code === carriageReturn) {
      if (code === lineFeed) breaks += 1;
      else if (code !== carriageReturn && breaks > 0) return end;
      input.pos += 1;
      code = yield* peek(input);
    }
    out.text(input.rawFrom(end));
    if (code === -1) return undefined;
    if (yield* takeReplyEnd(session)) continue;
    if (!(yield* takeMore(session))) return end;
  }
}

function* takeReplyEnd({ input, out }: Session): Reader<boolean> {
  const token = yield* takeFirst(input, replyEnds);
  if (token !== undefined) out.text(token);
  return token !== undefined;
}

/** Takes a further call, or its markup. */
function* takeMore(session: Session): Reader<boolean> {
  const { input } = session;
  if (session.triedInVain > vainFloor + vainFactor * input.offset) return false;
  const found = (yield* openersHere(session))?.values.filter(({ kind }) => kind !== "fence") ?? [];
  if (found.length === 0) return false;
  const from = input.offset;
  const refusal = yield* tryOpeners(session, found);
  if (refusal === undefined) return true;
  session.triedInVain += refusal - from;
  return false;
}

/** What reading changes besides the events that wait. */
type State = Pick<Session, "message" | "addressed" | "thoughtEnds"> & {
  readonly channel: Session["out"]["channel"];
};

function stateOf({ message, addressed, thoughtEnds, out }: Session): State {
  return { message, addressed, thoughtEnds, channel: out.channel };
}

function restore(session: Session, { channel, ...state }: State): void {
  Object.assign(session, state);
  session.out.channel = channel;
}
