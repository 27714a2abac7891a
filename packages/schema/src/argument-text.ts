/** Removes what servers and models leave around the text of arguments: white space, special tokens, fences and end tags. */

const before = /^(?:[\s\uFEFF]+|<[|｜][^<>\s]{0,60}[|｜]>|```[\w-]{0,20}(?=\s|$)|\[[A-Z_]{1,40}\])/;
const after = /(?:```|<[|｜][^<>\s]{0,60}[|｜]>|<\/[\w:-]{1,60}>|\[\/[A-Z_]{1,40}\])$/;

/** Longer than any match of `after`, so that each step looks only at the end of the text. */
const tailChars = 80;

/** Returns the text without the marks around it; the text itself, without white space around it, if there are none. */
export function bareArguments(text: string): string {
  let bare = text.trim();
  for (let mark = before.exec(bare); mark !== null; mark = before.exec(bare)) {
    bare = bare.slice(mark[0].length);
  }
  for (;;) {
    bare = bare.trimEnd();
    const mark = after.exec(bare.slice(-tailChars));
    if (mark === null) return bare;
    bare = bare.slice(0, bare.length - mark[0].length);
  }
}
