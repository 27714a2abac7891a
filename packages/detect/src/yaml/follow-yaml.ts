/**
 * Follows a body of YAML while it arrives, to show its arguments early: each when the next one begins, a literal block line
 * by line. What they are is decided when the body is whole; as soon as anything is in doubt it follows no more.
 */
import type { ShownArguments, ShownText } from "../markup/shown-arguments.ts";
import { propertySchema, type Schema, typesOf } from "../schema/read-schema.ts";
import { parseYamlArguments, yamlLine } from "./read-yaml.ts";

/** Stands behind an argument that is read on its own, so that it ends as it does in front of another one. */
const nextKey = "_";

/** Arguments with longer names are shown when their line is whole. */
const maxKey = 200;

/** Takes the body piece by piece. */
export function followYaml(shown: ShownArguments, schema: Schema): (piece: string) => void {
  const follower = new YamlFollower(shown, schema);
  return (piece) => follower.push(piece);
}

interface Entry {
  readonly key: string;
  readonly lines: string[];
  readonly text: ShownText | undefined;
  /** Where the lines of a block begin; known with its first line that is not empty. */
  inner: number | undefined;
  blockEnded: boolean;
}

class YamlFollower {
  readonly #shown: ShownArguments;
  readonly #schema: Schema;
  /** The line that is not whole yet, and as much of it as tells what it is. */
  #line = "";
  #head = "";
  /** Whether that may still turn out to be the key of an argument. */
  #mayBeKey = true;
  #indent: number | undefined;
  #entry: Entry | undefined;
  #lost = false;

  constructor(shown: ShownArguments, schema: Schema) {
    this.#shown = shown;
    this.#schema = schema;
  }

  push(piece: string): void {
    if (this.#lost) return;
    for (let from = 0; ; ) {
      const end = piece.indexOf("\n", from);
      this.#add(end < 0 ? piece.slice(from) : piece.slice(from, end));
      if (end < 0) break;
      this.#onLine(this.#line.replace(/\r$/, ""));
      if (this.#lost) return;
      this.#line = "";
      this.#head = "";
      this.#mayBeKey = true;
      from = end + 1;
    }
    if (this.#mayBeKey && this.#entry && this.#beginsNext()) this.#endEntry();
  }

  #add(piece: string): void {
    this.#line += piece;
    if (this.#head.length < maxKey) this.#head += piece.slice(0, maxKey - this.#head.length);
  }

  /** Whether the line that is not whole yet is another argument already. */
  #beginsNext(): boolean {
    this.#mayBeKey = /^[ \t]*(?:[A-Za-z_][\w.-]*:?)?$/.test(this.#head);
    if (this.#mayBeKey || !/^[ \t]*[A-Za-z_][\w.-]*: /.test(this.#head)) return false;
    return yamlLine(this.#head).indent === this.#indent;
  }

  #onLine(whole: string): void {
    const { indent, text, raw } = yamlLine(whole);
    const entry = this.#entry;
    const isBlank = text === "";
    const isRemark = isBlank || text.startsWith("#") || text === "---";
    this.#indent ??= isRemark ? undefined : indent;
    const base = this.#indent ?? 0;
    const belongs = isRemark || indent > base || (indent === base && /^-(?:\s|$)/.test(text));
    if (belongs) {
      if (!entry) this.#lost = !isRemark;
      else this.#addLine(entry, whole, isBlank || indent > base ? raw : undefined);
    } else if (indent < base) {
      this.#lost = true;
    } else {
      this.#endEntry();
      if (!this.#lost) this.#beginEntry(whole, text);
    }
  }

  #beginEntry(whole: string, line: string): void {
    const [, key, rest = ""] = /^([A-Za-z_][\w.-]*):(?:\s+(.*))?$/.exec(line) ?? [];
    if (key === undefined || key === nextKey) {
      this.#lost = true;
      return;
    }
    const schema = propertySchema(this.#schema, key);
    const types = schema ? typesOf(schema) : undefined;
    const isText = /^\|[-+]?$/.test(rest) && (!types || types.size === 0 || types.has("string"));
    const text = isText ? this.#shown.text(key, { tail: "space" }) : undefined;
    this.#entry = { key, lines: [whole], text, inner: undefined, blockEnded: false };
  }

  /** `raw` is the line when it can belong to a block. */
  #addLine(entry: Entry, whole: string, raw: string | undefined): void {
    entry.lines.push(whole);
    entry.blockEnded ||= raw === undefined;
    if (!entry.text || entry.blockEnded || raw === undefined) return;
    if (entry.inner !== undefined) {
      entry.text.piece(`\n${raw.slice(entry.inner)}`);
    } else if (raw.trim() !== "") {
      const inner = raw.length - raw.trimStart().length;
      entry.inner = inner;
      const lines = entry.lines.slice(1).map((line) => yamlLine(line).raw.slice(inner));
      entry.text.piece(lines.join("\n"));
    }
  }

  #endEntry(): void {
    const entry = this.#entry;
    this.#entry = undefined;
    if (!entry) return;
    const next = `${" ".repeat(this.#indent ?? 0)}${nextKey}: 0`;
    const read = parseYamlArguments([...entry.lines, next].join("\n"));
    const value = read?.[entry.key];
    if (!read || value === undefined || Object.keys(read).length !== 2) this.#lost = true;
    else if (entry.text) entry.text.end(value);
    else this.#shown.value(entry.key, value);
  }
}
