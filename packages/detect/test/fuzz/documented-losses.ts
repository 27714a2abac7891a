/**
 * The readings that leave words of the input out of all events. Each has a row in docs/formats.md; any other loss is
 * an error.
 */
import type { DetectEvent, Repair } from "../../src/index.ts";

export interface Loss {
  readonly word: string;
  readonly before: string;
  readonly after: string;
  /** The events that the word can have been a part of. */
  readonly near: readonly DetectEvent[];
}

type Explains = (loss: Loss) => boolean;

const readings: readonly (readonly [string, Explains])[] = [
  [
    "dropped, as the tool does not take it or it comes twice (dropped-key)",
    (loss) => reported(loss, "dropped-key"),
  ],
  ["a key that stands for another (argument-key)", (loss) => reported(loss, "argument-key")],
  ["a comment, or words in front of a list of calls (comment)", (loss) => reported(loss, "comment")],
  ["an end tag inside a call (wrong-end-tag)", (loss) => inEndTag(loss) && reported(loss, "wrong-end-tag")],
  ["around the name of a tool (tool-name)", (loss) => inToolName(loss) && reported(loss, "tool-name")],
  [
    "a name in place of which another was meant (near-name)",
    (loss) => nearToolName(loss) && reported(loss, "near-name"),
  ],
  ["an attribute of a call's tag", (loss) => inTag(loss) && loss.near.some(isEnd)],
  ["half a mark where a message breaks off", ({ before, after }) => /<\|$/.test(before) && after === ""],
  ["the header of a message", inHeader],
];

function inEndTag({ before, after }: Loss): boolean {
  return /<\/[^<>]*$/.test(before) && /^[^<>]*>/.test(after);
}

/** Returns true if the word is inside a tag of a call, after the name of the tag; quotes may hide brackets. */
function inTag(loss: Loss): boolean {
  const before = loss.before.slice(-4_000);
  return (
    (/<[^\s<>=|"']+[\s="'](?:"[^"\n]*"|'[^'\n]*'|[^<>"'])*(?:"[^"\n]*|'[^'\n]*|[^<>"'\n]*)$/.test(before) &&
      /^[^<>]*(?:>|<\|message\|>)/.test(loss.after)) ||
    (/<\|(?:open|close)\|>\w+[\s="'](?:(?!<\|sep\|>)[\s\S])*$/.test(before) &&
      /^(?:(?!<\|open\|>)[\s\S])*<\|sep\|>/.test(loss.after))
  );
}

function inHeader({ before, after }: Loss): boolean {
  const begun =
    /(?:<\|(?:start|channel|constrain)\|>|\bto=|^(?:assistant|analysis|commentary|final)\b)[^<>]*$/;
  const ends = /^[^<>]*(?:<\|(?:start|channel|constrain)\|>[^<>]*)*<\|message\|>/;
  return begun.test(before.slice(-300)) && ends.test(after.slice(0, 300));
}

/** Returns true if the word is written together with the name of a tool: `word.read_file`, `read_file<|word`. */
function inToolName({ word, before, after, near }: Loss): boolean {
  const inMark = /[\w.-]*<\|\S*$/.exec(before)?.[0] ?? "";
  const written =
    inMark + (/[^\s"'{}()]*$/.exec(before)?.[0] ?? "") + word + (/^[^\s"'{}()]*/.exec(after)?.[0] ?? "");
  return near.some((event) => isEnd(event) && loose(written).includes(loose(event.name)));
}

/** Returns true if the first four letters of a part of the tool's name are in the word or within 60 characters of it. */
function nearToolName({ word, before, after, near }: Loss): boolean {
  const written = loose(before.slice(-60) + word + after.slice(0, 60));
  return near.some(
    (event) => isEnd(event) && event.name.split(/[^a-z]/).some((part) => written.includes(part.slice(0, 4))),
  );
}

function loose(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function isEnd(event: DetectEvent): event is Extract<DetectEvent, { type: "tool-call-end" }> {
  return event.type === "tool-call-end";
}

/** Returns the reading that explains the loss; undefined when none does. */
export function readingOf(loss: Loss): string | undefined {
  return readings.find(([, explains]) => explains(loss))?.[0];
}

function reported({ near }: Loss, repair: Repair): boolean {
  return near.some((event) => isEnd(event) && event.repairs.includes(repair));
}
