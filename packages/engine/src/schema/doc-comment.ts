/** Parses a doc comment into its text and its tags. */

export interface DocComment {
  /** The text before the first tag, as one paragraph. */
  readonly text: string;
  /** The text of each `@param name text`, by the name. */
  readonly params: ReadonlyMap<string, string>;
  /** The other tags: `@minimum 1` is `minimum` -> `1`. */
  readonly tags: ReadonlyMap<string, string>;
}

/** Parses a doc comment. `comment` is its text without the stars. */
export function readDoc(comment: string): DocComment {
  const params = new Map<string, string>();
  const tags = new Map<string, string>();
  const [text = "", ...parts] = comment.split(/(?:^|\s)@(?=[a-z]+\b)/);
  for (const part of parts) {
    const [, tag = "", rest = ""] = /^(\w+)\s*([\s\S]*)$/.exec(part) ?? [];
    const param =
      tag === "param" ? /^(?:\{[^}]*\}\s*)?\[?([\w$]+)(?:=[^\]]*)?\]?\s*-?\s*([\s\S]*)$/.exec(rest) : null;
    if (param !== null) params.set(param[1] ?? "", oneLine(param[2] ?? ""));
    else tags.set(tag, oneLine(rest));
  }
  return { text: oneLine(text), params, tags };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
