/**
 * Reads replies that are a series of messages. The header of a message says if it is a thought, an answer or a call. An end
 * mark ends the message. Text in an answer that looks like a header stays text. A call of Harmony, and one of Glimmer:
 *     <|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "a.txt"}<|call|>
 *      to=read_file<|message|><atem:function_calls>...</atem:function_calls><|eom|>
 */
import { lessThan, lineFeed, openBrace } from "../scan/characters.ts";
import { at, firstAt, type Input, peek, type Reader, skipSpace, take, takeFirst } from "../scan/input.ts";
import type { Opener, Session } from "../scan/session.ts";
import { isShown } from "../scan/standing.ts";
import { startThought } from "../scan/thought.ts";
import type { FormatId } from "../types.ts";
import { readToolBody } from "./tool-body.ts";

const messageMark = "<|message|>";
const endMarks = ["<|end|>", "<|return|>", "<|call|>", "<|eom|>", "<|eot|>"];
const headerStarts = ["<|start|>", "<|channel|>", "<|constrain|>", messageMark, " to="];
/** The literals that end the body of a message: an end mark, or the header of the next message. */
const bodyEnds = [...endMarks, "<|start|>", "<|channel|>"];
const marks = [...bodyEnds, messageMark];
const maxMark = Math.max(...marks.map((mark) => mark.length));
/** The beginning of a reply whose header began in the prompt. */
const replyStart = " to=";
const maxHeader = 300;

/**
 * Returns the openers of headers, of end marks and of `calls`. `calls` are the openers of calls in markup: they are tried at
 * the beginning of a message to a tool, and anywhere in a message that is not the answer.
 */
export function channelOpeners(format: FormatId, calls: readonly Opener[]): Opener[] {
  return [
    ...headerStarts.map((literal) =>
      opener(format, literal, (session, mark) => readHeader(session, mark, literal, calls)),
    ),
    ...endMarks.map((literal) => opener(format, literal, (session) => readEnd(session, literal))),
    { ...opener(format, "<|", readHalfMark), glance: ({ message }) => message !== undefined },
    ...calls.map((call) => ({
      ...call,
      read: (session: Session, mark: number) => readUnaddressed(session, mark, call),
    })),
  ];
}

function opener(format: FormatId, literal: string, read: Opener["read"]): Opener {
  return { literal, format, standing: literal === replyStart ? "start" : "anywhere", kind: "thought", read };
}

function* readHeader(
  session: Session,
  mark: number,
  literal: string,
  calls: readonly Opener[],
): Reader<boolean> {
  const { input } = session;
  const header = yield* headerText(input);
  if (header === undefined) return false;
  const isHarmony = header.includes("<|channel|>");
  if (literal !== replyStart && isShown(session.out.recentText())) return false;
  if (!isHarmony && session.message !== undefined) return false;
  input.pos += header.length + messageMark.length;
  const recipient = /\bto=([^\s<]+)/.exec(header)?.[1];
  const channel = /<\|channel\|>\s*(\w+)/.exec(header)?.[1];
  if (session.thoughtEnds.length > 0) endMessage(session);
  if (recipient !== undefined && !/^(?:user|self|all|assistant)$/.test(recipient)) {
    if (yield* readToolMessage(session, mark, recipient, calls)) return true;
  }
  session.message = recipient === "user" ? "answer" : "other";
  session.out.forgetText();
  if (recipient === "self" || (recipient === undefined && channel === "analysis")) {
    startThought(session, endMarks);
  }
  return true;
}

/** Matches a header. Each word can end in one place only, so that no header takes long to judge. */
const knownHeader =
  /^(?:<\|start\|>)?\s*(?!\s)[\w.]*?(?=to=|[^\w.]|$)(?:\s*(?:to=[^\s<]+(?![^\s<])|<\|(?:channel|constrain)\|>\s*(?!\s)\w*?(?=to=|\W|$)|json|code))*\s*$/;

/** Returns the header at the current position, without `<|message|>`; undefined if there is none. */
function* headerText(input: Input): Reader<string | undefined> {
  for (let length = 0; length < maxHeader; length += 1) {
    const code = yield* peek(input, length);
    if (code === -1 || code === lineFeed) return undefined;
    if (code === lessThan && (yield* at(input, messageMark, length))) {
      const header = input.text.slice(input.pos, input.pos + length);
      return knownHeader.test(header) ? header : undefined;
    }
  }
  return undefined;
}

/** Reads a message to a tool: its arguments, or a call in the markup of `calls`. */
function* readToolMessage(
  session: Session,
  mark: number,
  recipient: string,
  calls: readonly Opener[],
): Reader<boolean> {
  const { input } = session;
  const start = input.hold();
  const code = yield* skipSpace(input);
  let taken = false;
  for (const call of code === openBrace ? [] : calls) {
    if (!taken && (yield* at(input, call.literal))) taken = yield* call.read(session, mark);
  }
  taken ||= yield* readToolBody(session, mark, recipient.replace(/^functions\./, ""), endsHere);
  if (taken) {
    const after = input.offset;
    yield* skipSpace(input);
    if (!(yield* takeFirst(input, endMarks))) input.rewind(after);
    session.message = undefined;
    session.addressed = true;
  } else {
    input.rewind(start);
  }
  input.release();
  return taken;
}

function* endsHere(input: Input): Reader<boolean> {
  return (yield* firstAt(input, bodyEnds)) !== undefined;
}

/** Reads the end mark of a message. Outside of a message the mark stays text, unless the reply had a message to a tool. */
function* readEnd(session: Session, literal: string): Reader<boolean> {
  if (session.message === undefined && !session.addressed) return false;
  yield* take(session.input, literal);
  endMessage(session);
  return true;
}

/** Drops half a mark at the end of the reply. */
function* readHalfMark(session: Session): Reader<boolean> {
  const { input, message } = session;
  if (message === undefined || (yield* peek(input, maxMark - 1)) !== -1) return false;
  const rest = input.text.slice(input.pos);
  if (rest.length < 3 || !marks.some((mark) => mark.startsWith(rest))) return false;
  input.pos = input.text.length;
  return true;
}

function endMessage(session: Session): void {
  session.message = undefined;
  session.thoughtEnds = [];
  session.out.channel = "text";
  session.out.forgetText();
}

/** Reads a call outside of a message to a tool. Such a call is accepted only inside a message that is not the answer. */
function* readUnaddressed(session: Session, mark: number, call: Opener): Reader<boolean> {
  if (session.message !== "other") return false;
  return yield* call.read(session, mark);
}
