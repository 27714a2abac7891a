/** Reads XML elements in order, from a reply while it arrives, or from the text inside another element. */
import { isTextOnly, itemSchema, propertySchema, type Schema, typesOf } from "@localharness/schema";
import { noteRepair } from "../json/result.ts";
import { readTagValue } from "../markup/read-tag-value.ts";
import type { TagRoles } from "../markup/roles.ts";
import type { ShownText } from "../markup/shown-arguments.ts";
import { isPlainEnd, plainTags, type TagStyle, tagHere } from "../markup/tag.ts";
import { type Looking, type ValueEnd, xmlElement, xmlText } from "../markup/value-end.ts";
import { greaterThan, lessThan } from "../scan/characters.ts";
import {
  at,
  endOf,
  type Input,
  peek,
  type Reader,
  readWhole,
  skipSpace,
  takeUntil,
  wholeInput,
} from "../scan/input.ts";
import type { Repair } from "../types.ts";

const maxStrayEnd = 400;

export const xmlTags: TagStyle = { ...plainTags, numbered: true };

/** An element: its name and the text between its tags. `isSection` is true if the text was a CDATA section. */
export interface Element {
  readonly name: string;
  readonly inner: string;
  readonly isSection: boolean;
}

/** The input from which elements are read, and the functions that receive them. */
export interface ElementReading {
  readonly looking: Looking;
  readonly schema: Schema | undefined;
  readonly repairs: Repair[];
  /** The tool whose end tag ends the elements. Without it the elements fill the whole text. */
  readonly tool?: string;
  /** Called when an element begins. Returns an object that shows the element if it is a text. */
  onBegin?(name: string, isText: boolean): ShownText | undefined;
  onElement(element: Element): void;
}

/** Returns all elements of a text; undefined if the text has anything else. */
export function elementsOf(
  text: string,
  schema: Schema | undefined,
  repairs: Repair[],
): Element[] | undefined {
  const elements: Element[] = [];
  const found: Repair[] = [];
  const end = readWhole(
    readElements({
      looking: { input: wholeInput(text), lookedInVain: 0 },
      schema,
      repairs: found,
      onElement: (element) => elements.push(element),
    }),
  );
  if (end !== "text-end") return undefined;
  for (const repair of found) noteRepair(repairs, repair);
  return elements;
}

/** Reads elements up to the end of the text or up to anything else. Returns `cut` if the text ends inside an element. */
export function* readElements(reading: ElementReading): Reader<"text-end" | "other" | "cut"> {
  const { looking, repairs, tool, onElement } = reading;
  const { input } = looking;
  for (let count = 0; ; ) {
    if (yield* skipRemarks(input)) noteRepair(repairs, "comment");
    const tag = yield* tagHere(input, xmlTags);
    if (tag === undefined || tag.kind === "close") {
      if ((yield* peek(input)) === -1) return "text-end";
      if (count === 0 || (tool !== undefined && isPlainEnd(tag, tool))) return "other";
      // An end tag without a beginning is skipped.
      if (!(yield* skipStrayEnd(input))) return "other";
      noteRepair(repairs, "wrong-end-tag");
      continue;
    }
    count += 1;
    input.pos += tag.length;
    if (tag.kind === "open" && !(yield* readElement(reading, tag.name))) return "cut";
    if (tag.kind === "open") continue;
    reading.onBegin?.(tag.name, false);
    onElement({ name: tag.name, inner: "", isSection: false });
  }
}

/** Moves over an end tag of any name. Returns false if there is none. */
function* skipStrayEnd(input: Input): Reader<boolean> {
  if (!(yield* at(input, "</"))) return false;
  const end = yield* endOf(input, 2, maxStrayEnd, "<>");
  if ((yield* peek(input, end)) !== greaterThan) return false;
  input.pos += end + 1;
  return true;
}

/** Moves over white space of any kind and over comments. Returns true if there was a comment. */
function* skipRemarks(input: Input): Reader<boolean> {
  for (let found = false; ; ) {
    const code = yield* skipSpace(input);
    if (code > 127 && /\s/.test(String.fromCharCode(code))) {
      input.pos += 1;
      continue;
    }
    if (code !== lessThan) return found;
    const end = (yield* at(input, "<!--")) ? "-->" : (yield* at(input, "<?")) ? "?>" : undefined;
    if (end === undefined) return found;
    const mark = input.hold();
    const isRemark = (yield* takeUntil(input, end)) !== undefined;
    if (!isRemark) input.rewind(mark);
    input.release();
    if (!isRemark) return found;
    found = true;
  }
}

/** Reads an element after its opening tag, up to its end. Returns false if the text ends inside it. */
function* readElement(reading: ElementReading, name: string): Reader<boolean> {
  const { looking, schema, repairs, tool } = reading;
  const inner = schema && propertySchema(schema, name);
  const isText = isTextOnly(inner);
  const shown = reading.onBegin?.(name, isText);
  const kind = isText ? xmlText : holdsOwnName(inner, name) ? { ...xmlElement, isItem: true } : xmlElement;
  const ends: ValueEnd = tool === undefined ? { ...kind, textEnd: "ends" } : kind;
  const tags = { style: xmlTags, roles: rolesInside(reading, name), own: name, ends };
  const value = yield* readTagValue(looking, tags, shown?.piece);
  if (value.end === "cut") return false;
  if (value.end === "other-tag") noteRepair(repairs, "missing-end-tag");
  else if (value.hasWords) noteRepair(repairs, "wrong-end-tag");
  const text = value.end === "other-tag" ? value.text.trimEnd() : value.text;
  reading.onElement({ name, inner: text, isSection: value.isSection });
  return true;
}

function rolesInside({ schema, tool }: ElementReading, own: string): TagRoles {
  return ({ name, kind }) => {
    if (name === own) return kind === "open" ? "inner" : undefined;
    if (name === tool) return kind === "close" ? "call-end" : "call";
    if (kind === "close" || !schema) return undefined;
    return propertySchema(schema, name) === undefined ? undefined : "argument";
  };
}

/** Returns true if the element is a list item, and the items are objects with a text that has the item's name. */
function holdsOwnName(schema: Schema | undefined, name: string): boolean {
  const item = schema && typesOf(schema).has("array") ? itemSchema(schema, 0) : undefined;
  return isTextOnly(item && propertySchema(item, name));
}
