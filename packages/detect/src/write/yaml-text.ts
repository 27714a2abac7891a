/** Writes values as YAML: each member on a separate line, and texts in quotes if YAML would read them as something else. */
import type { JsonValue } from "../types.ts";

/** Returns a mapping, one key on each line, without a final line feed; an empty text for no keys. */
export function yamlMapping(value: { readonly [key: string]: JsonValue }, indent = ""): string {
  return Object.entries(value)
    .map(([key, item]) => `${indent}${yamlKey(key)}:${afterKey(item, `${indent}  `)}`)
    .join("\n");
}

/** Returns the text after a key or a dash: a value on the same line, or on the lines below. */
function afterKey(value: JsonValue, indent: string): string {
  if (typeof value !== "object" || value === null) return ` ${yamlScalar(value)}`;
  if (Array.isArray(value)) {
    if (value.length === 0) return " []";
    return `\n${value.map((item) => `${indent}-${afterKey(item, `${indent}  `)}`).join("\n")}`;
  }
  return Object.keys(value).length === 0 ? " {}" : `\n${yamlMapping(value, indent)}`;
}

const wordOfYaml = /^(?:true|false|null|none|nil|yes|no|on|off|y|n)$/i;

function yamlScalar(value: JsonValue): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const plain = /^[A-Za-z/](?:[\w./ -]*[\w./-])?$/.test(value) && !wordOfYaml.test(value);
  return plain ? value : quoted(value);
}

function yamlKey(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) && !wordOfYaml.test(key) ? key : quoted(key);
}

/** Returns the text in quotes. YAML reads two separators as line feeds, JSON does not, so they are escaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
