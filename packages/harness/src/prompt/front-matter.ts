/** Parses Markdown with front matter: keys between two lines `---`, followed by the text. */

export type FrontMatter =
  | {
      readonly ok: true;
      readonly values: Readonly<Record<string, string | readonly string[]>>;
      readonly body: string;
    }
  | { readonly ok: false; readonly line: number; readonly problem: string };

/**
 * Returns the keys and the text after them; no keys for a text that does not begin with a line `---`. A value is text,
 * quoted or not, or a list: `[a, b]`, or one `- item` per line. A key without a value is an empty list. A value of another
 * kind, a nested key or a repeated key is an error, because an ignored key could be one that makes something stricter.
 */
export function readFrontMatter(text: string): FrontMatter {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  if (lines[0]?.trimEnd() !== "---") return { ok: true, values: {}, body: text };
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  if (end === -1) {
    return { ok: false, line: 1, problem: "the front matter is not closed: expected a line ---" };
  }
  const values: Record<string, string | string[]> = Object.create(null);
  let open: string | undefined;
  for (const [index, line] of lines.slice(1, end).entries()) {
    const wrong = (problem: string): FrontMatter => ({ ok: false, line: index + 2, problem });
    if (/^\s*(#.*)?$/.test(line)) continue;
    const item = /^\s*-\s+(.*)$/.exec(line);
    const pair = /^([A-Za-z][\w-]*):(?:\s+(.*))?$/.exec(line.trimEnd());
    if (item !== null && open !== undefined) {
      const before = values[open];
      values[open] = [...(Array.isArray(before) ? before : []), scalar(item[1] ?? "")];
    } else if (pair !== null) {
      const [, key = "", written = ""] = pair;
      const value = written.replace(/^#.*/, "").trim();
      if (key in values) return wrong(`the key "${key}" occurs twice`);
      if (/^[>|&*!{]/.test(value) || (value.startsWith("[") && !brackets.test(value))) {
        return wrong(`"${key}" expects text on one line, or a list`);
      }
      open = value === "" ? key : undefined;
      values[key] = open === undefined ? readValue(value) : [];
    } else return wrong("expected key: value, or - item below a key");
  }
  return { ok: true, values: { ...values }, body: lines.slice(end + 1).join("\n") };
}

/**
 * Matches a value in brackets. A single pair of brackets is a list. Several pairs are text, such as `[file] [line]`.
 */
const brackets = /^\[[^[\]]*\](?:\s+\[[^[\]]*\])*(?:\s+#.*)?$/;

function readValue(value: string): string | string[] {
  const items = /^\[([^[\]]*)\](?:\s+#.*)?$/.exec(value);
  if (items === null) return scalar(value);
  return (items[1] ?? "")
    .split(",")
    .map(scalar)
    .filter((item) => item !== "");
}

function scalar(value: string): string {
  const text = value.trim();
  const quoted = /^"([^"]*)"(?:\s+#.*)?$|^'([^']*)'(?:\s+#.*)?$/.exec(text);
  if (quoted !== null) return quoted[1] ?? quoted[2] ?? "";
  return text.replace(/\s+#.*$/, "");
}
