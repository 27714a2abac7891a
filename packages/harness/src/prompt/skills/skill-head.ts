/**
 * Reads the front matter of a SKILL.md. Programs of many authors write these files, so it reads more of YAML than the front
 * matter of this program's own files has: texts of several lines, nested keys and quoted texts.
 */

export type SkillHead =
  | {
      readonly ok: true;
      /** The value of each top-level key, with the lines of a longer value joined. */
      readonly values: Readonly<Record<string, string>>;
      /** The text after the front matter. */
      readonly body: string;
    }
  | { readonly ok: false; readonly line: number; readonly problem: string };

/** Returns the keys and the text of a SKILL.md; no keys for a text that does not begin with a line `---`. */
export function readSkillHead(text: string): SkillHead {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  if (lines[0]?.trimEnd() !== "---") return { ok: true, values: {}, body: text };
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  if (end === -1) return wrong(1, "the front matter is not closed: expected a line ---");
  const values: Record<string, string> = Object.create(null);
  for (let index = 1; index < end; ) {
    const line = lines[index] ?? "";
    if (/^\s*(?:#.*)?$/.test(line)) {
      index += 1;
      continue;
    }
    const [, key, written = ""] = /^([A-Za-z][\w-]*)\s*:(?:\s+(.*))?$/.exec(line.trimEnd()) ?? [];
    if (key === undefined) return wrong(index + 1, "expected a key and its value: key: value");
    if (key in values) return wrong(index + 1, `the key "${key}" occurs twice`);
    const next = nextKey(lines, index + 1, end);
    const value = readValue(written.trim(), lines.slice(index + 1, next));
    if (value === undefined) return wrong(index + 1, `the value of "${key}" cannot be read`);
    values[key] = value;
    index = next;
  }
  return { ok: true, values: { ...values }, body: lines.slice(end + 1).join("\n") };
}

function wrong(line: number, problem: string): SkillHead {
  return { ok: false, line, problem };
}

/** Returns the index of the next line that is neither blank, indented, a comment nor an item of a list. */
function nextKey(lines: readonly string[], from: number, end: number): number {
  const found = lines.slice(from, end).findIndex((line) => !/^(?:\s|#|-(?:\s|$)|$)/.test(line));
  return found === -1 ? end : from + found;
}

/** Returns a value whose first line is `written`, on one line; undefined if it is no text, list or block of keys. */
function readValue(written: string, more: readonly string[]): string | undefined {
  if (/^[|>][+-]?[1-9]?[+-]?(?:\s+#.*)?$/.test(written)) return joined(more);
  if (written.startsWith('"') || written.startsWith("'")) return readQuoted(joined([written, ...more]));
  if (/^[&*!%@`|>]/.test(written)) return undefined;
  return joined([written, ...more].map((line) => line.replace(/(?:^|\s)#.*$/, "")));
}

function joined(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

function readQuoted(text: string): string | undefined {
  const [, double, single] = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')\s*(?:#.*)?$/s.exec(text) ?? [];
  if (single !== undefined) return single.replaceAll("''", "'");
  return double?.replace(/\\(u[0-9a-fA-F]{4}|.)/gs, (_all, code: string) => {
    if (code.length > 1) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[ntr]/.test(code) ? " " : code;
  });
}
