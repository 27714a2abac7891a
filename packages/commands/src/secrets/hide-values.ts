/** Replaces values in a stream of bytes, also a value that is split across chunks. */

export interface HidingStream {
  /** Takes the next chunk and passes on what cannot be the beginning of a value. The caller must not read the chunk afterwards. */
  push(chunk: Buffer): void;
  /** Passes on the rest. */
  end(): void;
}

/** A way to replace values, prepared once for many streams. */
export interface Hiding {
  stream(pass: (chunk: Buffer) => void): HidingStream;
}

/** Bytes are compared as text of one byte per character. */
const encoding = "latin1";

function bytesOf(text: string): string {
  return Buffer.from(text).toString(encoding);
}

/**
 * Prepares the replacement of values (the keys of `labels`) by labels. Of the values at one place, the longest counts. There
 * must be a value, and none may be empty.
 */
export function hideValues(labels: ReadonlyMap<string, string>): Hiding {
  const known = new Map([...labels].map(([value, label]) => [bytesOf(value), bytesOf(label)]));
  const values = [...known.keys()].toSorted((a, b) => b.length - a.length);
  const longest = values[0]?.length ?? 0;
  const byFirst = Map.groupBy(values, (value) => value.charAt(0));
  const pattern = new RegExp(
    values.map((value) => value.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"),
    "g",
  );

  /** Returns the first index from `from` on at which the rest of the text is the beginning of a value; else its length. */
  const openAt = (text: string, from: number): number => {
    for (let at = Math.max(from, text.length - longest + 1); at < text.length; at += 1) {
      const length = text.length - at;
      const isOpen = byFirst
        .get(text.charAt(at))
        ?.some((value) => value.length > length && text.startsWith(value.slice(0, length), at));
      if (isOpen === true) return at;
    }
    return text.length;
  };

  /** Returns as `done` the text before `from` with values replaced, and as `open` the next place where a value may begin. */
  const replace = (text: string, isLast: boolean) => {
    let done = "";
    let from = 0;
    let open = isLast ? text.length : openAt(text, 0);
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null && match.index < open; match = pattern.exec(text)) {
      done += text.slice(from, match.index) + (known.get(match[0]) ?? "");
      from = match.index + match[0].length;
      if (!isLast && open < from) open = openAt(text, from);
    }
    return { done, from, open };
  };

  return {
    stream(pass) {
      let held = "";
      const take = (text: string, isLast: boolean, chunk?: Buffer) => {
        const { done, from, open } = replace(text, isLast);
        held = text.slice(open);
        // A chunk without values is passed on as it is, because it may be large.
        if (chunk !== undefined && from === 0 && open === text.length) pass(chunk);
        else if (done !== "" || open > from) pass(Buffer.from(done + text.slice(from, open), encoding));
      };
      return {
        push: (chunk) => take(held + chunk.toString(encoding), false, held === "" ? chunk : undefined),
        end: () => take(held, true),
      };
    },
  };
}
