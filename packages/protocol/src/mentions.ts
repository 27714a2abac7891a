/** Finds the files that a message names with `@`. Their content or image is sent to the model with the message. */

/** The content of a file that the person named with `@`, as the model gets it. */
export interface AttachedFile {
  readonly path: string;
  readonly content: string;
}

/** A file that a message names with `@`, with the range of its lines if the message gives one. */
export interface Mention {
  /** The text after `@`, without quotes. Messages to the person name the file by it. */
  readonly text: string;
  readonly path: string;
  readonly firstLine?: number;
  readonly lastLine?: number;
}

const mention = /(?:^|[\s([{])@(?:"([^"\n]+)"(:\d{1,7}(?:-\d{1,7})?)?|([^\s"]+))/g;
const withLines = /^(.+):(\d{1,7})(?:-(\d{1,7}))?$/;
const image = /\.(?:png|jpe?g|gif|webp)$/i;
const maxMentions = 20;

/** Returns the files that a message names with `@`, such as `@src/a.ts` and `@"my notes.md":10-20`, each once, at most 20. */
export function mentionsIn(message: string): readonly Mention[] {
  const texts = Array.from(message.matchAll(mention), ([, quoted, lines = "", bare = ""]) =>
    quoted === undefined ? withoutEnd(bare) : quoted + lines,
  );
  return [...new Set(texts)]
    .filter((text) => text !== "")
    .slice(0, maxMentions)
    .map(readMention);
}

/** Returns true for a mention of an image. */
export function isImageMention({ path }: Mention): boolean {
  return image.test(path);
}

/** Returns the word without punctuation and closing brackets at its end. */
function withoutEnd(word: string): string {
  let end = word.length;
  while (end > 0 && ".,;:!?)]}".includes(word[end - 1] ?? "")) end -= 1;
  return word.slice(0, end);
}

function readMention(text: string): Mention {
  const [, path, first, last] = withLines.exec(text) ?? [];
  if (path === undefined) return { text, path: text };
  const firstLine = Number(first);
  return { text, path, firstLine, lastLine: last === undefined ? firstLine : Number(last) };
}
