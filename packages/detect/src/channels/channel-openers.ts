/**
 * Reads replies that are a series of messages. The header of a message says if it is a thought, an answer or a call. An end
 * mark ends the message. Text in an answer that looks like a header stays text. A call of Harmony, and one of Glimmer:
 *     <|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "a.txt"}<|call|>
 *      to=read_file<|message|><atem:function_calls>...</atem:function_calls><|eom|>
 */
import { openBrace } from "../scan/characters.ts";
import { firstAt, type Input, peek, type Reader, skipSpace, take, takeFirst } from "../scan/input.ts";
import type { Opener, Scan, Standing } from "../scan/scan.ts";
import { beginsLine, isShown } from "../scan/standing.ts";
import { startThought } from "../scan/thought.ts";
import { type Header, headerFollows, headerHere, messageMark } from "./header.ts";
import { readMarkedBody } from "./marked-body.ts";
import { readToolBody } from "./tool-body.ts";
import { meantName } from "./unmarked-message.ts";

const endMarks = ["<|end|>", "<|return|>", "<|call|>", "<|eom|>", "<|eot|>"];
/** The literals with which a header begins, and where. At the start of a reply, the prompt has the marks before it. */
const headerStarts: readonly (readonly [string, Standing])[] = [
  ...["<|start|>", "<|channel|>", "<|constrain|>", messageMark].map((mark) => [mark, "anywhere"] as const),
  ...["assistant to=", "assistant<|channel|>", "to=", "to=functions."].map((word) => [word, "word"] as const),
  ...[" to=", "assistant", "analysis", "commentary", "final"].map((word) => [word, "start"] as const),
];
/** The literals that end the body of a message: an end mark, or the header of the next message. */
const bodyEnds = [...endMarks, "<|start|>", "<|channel|>"];
const marks = [...bodyEnds, messageMark];
const maxMark = Math.max(...marks.map((mark) => mark.length));

/**
 * Returns the openers of headers, of end marks and of `calls`. `calls` are the openers of calls in markup that count only in a
 * message that is not the answer.
 */
export function channelOpeners(calls: readonly Opener[]): Opener[] {
  return [
    ...headerStarts.map(([literal, standing]) =>
      opener(literal, (scan, mark) => readHeader(scan, mark, literal, standing), standing),
    ),
    ...endMarks.map((literal) => opener(literal, (scan) => readEnd(scan, literal))),
    { ...opener("<|", readHalfMark), glance: ({ message }) => message !== undefined },
    ...calls.map((call) => ({
      ...call,
      read: (scan: Scan, mark: number) => readUnaddressed(scan, mark, call),
    })),
  ];
}

function opener(literal: string, read: Opener["read"], standing: Standing = "anywhere"): Opener {
  return { literal, format: "harmony", standing, kind: "thought", read };
}

function* readHeader(scan: Scan, mark: number, literal: string, standing: Standing): Reader<boolean> {
  const { input, out } = scan;
  const isWord = /^\w+$/.test(literal);
  if (isWord && !(yield* headerFollows(input, literal))) return false;
  const header = yield* headerHere(input);
  if (header === undefined || !fits(scan, header, standing)) return false;
  input.pos += header.length;
  const { recipient, channel } = header;
  if (scan.thoughtEnds.length > 0) endMessage(scan);
  if (recipient !== undefined && !/^(?:user|self|all|assistant)$/.test(recipient)) {
    if (yield* readToolMessage(scan, mark, recipient)) return true;
    if (!header.isMarked) return false;
  }
  scan.message = recipient === "user" ? "answer" : "other";
  out.forgetText();
  if (recipient === "self" || (recipient === undefined && channel === "analysis")) {
    startThought(scan, endMarks);
  }
  return true;
}

/** Returns true if the header can begin a message here, and is not text about headers. */
function fits({ message, out, tools }: Scan, header: Header, standing: Standing): boolean {
  const before = out.recentText();
  if (standing !== "start" && isShown(before)) return false;
  if (!header.isHarmony && message !== undefined) return false;
  const isCut = header.isBare || (!header.isMarked && standing === "word");
  if (isCut && message === undefined && !beginsLine(before)) return false;
  const isCertain = header.isMarked && header.extra === 0;
  return isCertain || tools.resolve(nameOf(header.recipient ?? "")) !== undefined;
}

function nameOf(recipient: string): string {
  return recipient.replace(/^functions\./, "");
}

/** Reads a message to a tool: its arguments, or calls in markup. */
function* readToolMessage(scan: Scan, mark: number, recipient: string): Reader<boolean> {
  const { input } = scan;
  const name = meantName(scan.tools, nameOf(recipient)) ?? nameOf(recipient);
  const start = input.hold();
  const { message } = scan;
  scan.message = "other";
  let taken = (yield* skipSpace(input)) !== openBrace && (yield* readMarkedBody(scan, mark, endsHere));
  scan.message = message;
  if (!taken) {
    input.rewind(start);
    taken = yield* readToolBody(scan, mark, name, endsHere);
  }
  if (taken) {
    const after = input.offset;
    yield* skipSpace(input);
    if (!(yield* takeFirst(input, endMarks))) input.rewind(after);
    scan.message = undefined;
    scan.addressed = true;
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
function* readEnd(scan: Scan, literal: string): Reader<boolean> {
  if (scan.message === undefined && !scan.addressed) return false;
  yield* take(scan.input, literal);
  endMessage(scan);
  return true;
}

/** Drops half a mark at the end of the reply. */
function* readHalfMark(scan: Scan): Reader<boolean> {
  const { input, message } = scan;
  if (message === undefined || (yield* peek(input, maxMark - 1)) !== -1) return false;
  const rest = input.text.slice(input.pos);
  if (rest.length < 3 || !marks.some((mark) => mark.startsWith(rest))) return false;
  input.pos = input.text.length;
  return true;
}

function endMessage(scan: Scan): void {
  scan.message = undefined;
  scan.thoughtEnds = [];
  scan.out.channel = "text";
  scan.out.forgetText();
}

/** Reads a call outside of a message to a tool. Such a call is accepted only inside a message that is not the answer. */
function* readUnaddressed(scan: Scan, mark: number, call: Opener): Reader<boolean> {
  if (scan.message !== "other") return false;
  return yield* call.read(scan, mark);
}
