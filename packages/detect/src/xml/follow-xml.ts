/**
 * Follows a body of XML while it arrives, to show its arguments early. What they are is decided when the body is whole; as
 * soon as anything is in doubt (a section, a tag of the same name inside, an end tag with text behind it) it follows no more.
 */
import type { ShownArguments, ShownText } from "../markup/shown-arguments.ts";
import { Rope } from "../scan/rope.ts";
import { isTextOnly, propertySchema, type Schema, typesOf } from "../schema/read-schema.ts";
import { parseXmlArguments, parseXmlValue } from "./read-xml.ts";

/** Longer tags are not followed. */
const maxTag = 500;

const openTag = /^<([\p{L}\p{N}_][\p{L}\p{N}_.:-]*)(?:\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*)?(\/?)>$/u;
const remark = /^(?:<!--[\s\S]*-->|<\?[\s\S]*\?>)$/;

/** An element that is being read. */
interface Open {
  readonly name: string;
  readonly schema: Schema | undefined;
  /** Set for a text, whose end tag counts only where structure follows. */
  readonly text: ShownText | undefined;
  readonly inner: Rope;
  isBlank: boolean;
  closed: boolean;
}

/** Takes the body piece by piece. With `only` no other argument is shown. */
export function followXml(shown: ShownArguments, schema: Schema, only?: string): (piece: string) => void {
  const follower = new XmlFollower(shown, schema, only);
  return (piece) => follower.push(piece);
}

class XmlFollower {
  readonly #shown: ShownArguments;
  readonly #schema: Schema;
  readonly #only: string | undefined;
  /** A tag that has begun. */
  #half = "";
  #open: Open | undefined;
  /** Elements of one name, which together are a list. */
  #list: { readonly name: string; text: string } | undefined;
  #lost = false;

  constructor(shown: ShownArguments, schema: Schema, only: string | undefined) {
    this.#shown = shown;
    this.#schema = schema;
    this.#only = only;
  }

  push(piece: string): void {
    for (let from = 0; from < piece.length && !this.#lost; ) {
      const end = this.#half === "" ? piece.indexOf("<", from) : nextBracket(piece, from);
      const part = piece.slice(from, end < 0 ? piece.length : end);
      from = end < 0 ? piece.length : end + 1;
      if (this.#half === "") {
        if (part !== "") this.#onText(part);
        if (end >= 0) this.#half = "<";
        continue;
      }
      this.#half += part;
      if (this.#half.length > maxTag || (end >= 0 && piece[end] === "<")) this.#noTag();
      if (end < 0) return;
      if (piece[end] === "<") this.#half = "<";
      else if (this.#half === "") this.#onText(">");
      else this.#onTag(`${this.#half}>`);
    }
  }

  #noTag(): void {
    const text = this.#half;
    this.#half = "";
    if (this.#open?.text) this.#onText(text);
    else this.#lost = true;
  }

  #onText(text: string): void {
    const open = this.#open;
    if (open && !open.closed) this.#add(open, text);
    else if (text.trim() !== "") this.#lost = true;
  }

  #onTag(tag: string): void {
    this.#half = "";
    const open = this.#open;
    if (open && !open.closed) this.#onTagInside(open, tag);
    else if (remark.test(tag)) return;
    else if (tag.startsWith("</")) this.#endElement();
    else this.#onNextElement(tag);
  }

  #onTagInside(open: Open, tag: string): void {
    const named = /^<(\/?)\s*([^\s<>/]+)(?:\s[^<>]*)?(\/?)>$/.exec(tag);
    if (named?.[2] !== open.name) this.#add(open, tag);
    else if (named[1] === "") this.#lost = true;
    else if (!open.text) this.#endElement();
    else if (/^<\/\s*[^\s<>/]+\s*>$/.test(tag)) open.closed = true;
    else this.#add(open, tag);
  }

  #onNextElement(tag: string): void {
    const [, name, slash] = openTag.exec(tag) ?? [];
    const known = name !== undefined && propertySchema(this.#schema, name) !== undefined;
    if (name === undefined || (this.#open && !known && name !== this.#open.name)) {
      this.#lost = true;
      return;
    }
    this.#endElement();
    const schema = propertySchema(this.#schema, name);
    if (name !== this.#list?.name) this.#endList();
    const rules = { tail: "space", oneLine: true, entities: true } as const;
    const text = isTextOnly(schema) ? this.#shown.text(name, rules) : undefined;
    this.#open = { name, schema, text, inner: new Rope(), isBlank: true, closed: false };
    if (slash === "/") this.#endElement();
  }

  #add(open: Open, text: string): void {
    if (open.isBlank && text.startsWith("<![CDATA[")) {
      this.#lost = true;
      return;
    }
    open.isBlank &&= text.trim() === "";
    open.inner.add(text);
    if (this.#shows(open.name)) open.text?.piece(text);
  }

  #endElement(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    const inner = open.inner.from(0);
    if (open.text) {
      if (this.#shows(open.name)) open.text.end(parseXmlValue(inner, open.schema));
      return;
    }
    this.#list ??= { name: open.name, text: "" };
    this.#list.text += `<${open.name}>${inner}</${open.name}>`;
    if (!open.schema || !typesOf(open.schema).has("array")) this.#endList();
  }

  #endList(): void {
    const list = this.#list;
    this.#list = undefined;
    if (!list) return;
    const value = parseXmlArguments(list.text, this.#schema)?.[list.name];
    if (value === undefined) this.#lost = true;
    else if (this.#shows(list.name)) this.#shown.value(list.name, value);
  }

  #shows(name: string): boolean {
    return this.#only === undefined || name === this.#only;
  }
}

function nextBracket(piece: string, from: number): number {
  const open = piece.indexOf("<", from);
  const close = piece.indexOf(">", from);
  return open < 0 || (close >= 0 && close < open) ? close : open;
}
