/** Parses a git configuration exactly like git, so that no entry that git would read is missed. */

export interface ConfigEntry {
  /** The key, such as `diff.x.textconv`: section and name in lower case, the quoted subsection unchanged. */
  readonly key: string;
  readonly value: string;
}

interface Cursor {
  /** Returns the next character; `\n` for `\r\n` and for the end of the text. */
  next(): string;
  atEnd(): boolean;
}

/**
 * Returns all entries. Returns undefined if git would refuse the file, or if it is uncertain how git reads it. Does not
 * follow includes; they are ordinary entries.
 */
export function readEntries(bytes: Buffer): readonly ConfigEntry[] | undefined {
  // Git ends a name at a NUL, so it reads `[diff "external\0"]` as another name than shown.
  if (bytes.includes(0)) return undefined;
  // One character per byte, so that invalid UTF-8 is not mixed up with replacement characters.
  const text = bytes.toString("latin1").replace(/^\u00ef\u00bb\u00bf/, "");
  const cursor = cursorOver(text);
  const entries: ConfigEntry[] = [];
  let section = "";
  for (;;) {
    const first = cursor.next();
    if (cursor.atEnd()) return entries;
    if (first === "#" || first === ";") {
      skipLine(cursor);
    } else if (first === "[") {
      const name = readSection(cursor);
      if (name === undefined || name === "" || name.startsWith(".")) return undefined;
      section = name;
    } else if (!isSpace(first)) {
      const entry = section === "" || !/[A-Za-z]/.test(first) ? undefined : readEntry(cursor, first);
      const key = entry === undefined ? undefined : asText(`${section}.${entry.key}`);
      if (entry === undefined || key === undefined) return undefined;
      entries.push({ key, value: Buffer.from(entry.value, "latin1").toString("utf8") });
    }
  }
}

/** Decodes bytes given as one character each. Returns undefined for invalid UTF-8, which no variable can contain. */
export function asText(bytes: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, "latin1"));
  } catch {
    return undefined;
  }
}

function cursorOver(text: string): Cursor {
  let index = 0;
  let ended = false;
  return {
    next: () => {
      ended = index >= text.length;
      if (ended) return "\n";
      index += text.startsWith("\r\n", index) ? 2 : 1;
      const read = text[index - 1];
      return read ?? "\n";
    },
    atEnd: () => ended,
  };
}

function isSpace(character: string): boolean {
  return /^[ \t\n\r]$/.test(character);
}

function skipLine(cursor: Cursor): void {
  while (cursor.next() !== "\n") {
    // A backslash at the end of a comment does not continue the comment.
  }
}

/** Reads a section header, from the character after `[` to the `]`, and returns its name; undefined if it is invalid. */
function readSection(cursor: Cursor): string | undefined {
  let name = "";
  for (;;) {
    const character = cursor.next();
    if (cursor.atEnd()) return undefined;
    if (character === "]") return name;
    if (isSpace(character)) {
      const rest = readSubsection(cursor, character);
      return rest === undefined || name === "" ? undefined : `${name}.${rest}`;
    }
    if (!/[\w.-]/.test(character) || character === "_") return undefined;
    name += character.toLowerCase();
  }
}

function readSubsection(cursor: Cursor, space: string): string | undefined {
  let character = space;
  while (isSpace(character)) {
    if (character === "\n") return undefined;
    character = cursor.next();
  }
  if (character !== '"') return undefined;
  let name = "";
  for (;;) {
    let next = cursor.next();
    if (next === '"') return cursor.next() === "]" ? name : undefined;
    next = next === "\\" ? cursor.next() : next;
    if (next === "\n") return undefined;
    name += next;
  }
}

function readEntry(cursor: Cursor, first: string): ConfigEntry | undefined {
  let key = first.toLowerCase();
  let character = cursor.next();
  while (/^[A-Za-z0-9-]$/.test(character)) {
    key += character.toLowerCase();
    character = cursor.next();
  }
  while (character === " " || character === "\t") {
    character = cursor.next();
  }
  if (character === "\n") return { key, value: "" };
  const value = character === "=" ? readValue(cursor) : undefined;
  return value === undefined ? undefined : { key, value };
}

const escapes: Readonly<Record<string, string>> = {
  "\n": "",
  t: "\t",
  b: "\b",
  n: "\n",
  "\\": "\\",
  '"': '"',
};

/**
 * Reads a value, from the character after `=` to the line end; undefined if it is invalid. Outside of quotes, drops white
 * space at both ends, and turns every other white space character into a space.
 */
function readValue(cursor: Cursor): string | undefined {
  let value = "";
  let blanks = 0;
  let quoted = false;
  for (;;) {
    let character = cursor.next();
    if (character === "\n") return quoted ? undefined : value;
    if (isSpace(character) && !quoted) {
      blanks += value === "" ? 0 : 1;
      continue;
    }
    if ((character === "#" || character === ";") && !quoted) {
      skipLine(cursor);
      return value;
    }
    value += " ".repeat(blanks);
    blanks = 0;
    if (character === '"') {
      quoted = !quoted;
      continue;
    }
    if (character === "\\") {
      const escaped = escapes[cursor.next()];
      if (escaped === undefined) return undefined;
      character = escaped;
    }
    value += character;
  }
}
