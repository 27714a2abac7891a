/** Finds the path that is being typed after `@`, and puts a chosen path in its place. */

export interface TypedMention {
  /** The text after `@`. */
  readonly typed: string;
  /** The offset of the `@`. */
  readonly from: number;
}

/** Returns the mention that ends at the cursor; undefined when there is none. */
export function mentionAt(text: string, cursor: number): TypedMention | undefined {
  const [, typed] = /(?:^|[\s([{])@([^\s"]*)$/.exec(text.slice(0, cursor)) ?? [];
  return typed === undefined ? undefined : { typed, from: cursor - typed.length - 1 };
}

export interface Edited {
  readonly text: string;
  readonly cursor: number;
}

/**
 * Returns the text with the path in place of the mention. No blank follows a folder, so that the person can go on
 * typing the path.
 */
export function withPath(text: string, cursor: number, { from }: TypedMention, path: string): Edited {
  const isFolder = path.endsWith("/");
  const mark = /\s/.test(path) && !isFolder ? `@"${path}"` : `@${path}`;
  const inserted = isFolder ? mark : `${mark} `;
  return { text: text.slice(0, from) + inserted + text.slice(cursor), cursor: from + inserted.length };
}
