/**
 * Remembers which files named with `@` in the editor exist, so that the editor can list them and delete a name as a whole.
 */

import { visibleWidth } from "@earendil-works/pi-tui";
import { isImageMention, mentionsIn } from "@localharness/protocol";
import { screenLine } from "../plain-text.ts";
import { fitLine } from "../screen/fit-line.ts";

export interface NamedFiles {
  /** Called with a path that exists. `chosen` is true if the person chose it from the list. */
  found(path: string, chosen: boolean): void;
  /**
   * Returns the mention of a chosen file (`@` and its path) that ends right before a column of a line; undefined if
   * there is none.
   */
  markBefore(line: string, column: number): string | undefined;
  /** Returns true if a line ends with `@` and the complete path of a file that exists. */
  isWhole(line: string): boolean;
  /**
   * Returns the line below the editor, which lists the files that the text names; undefined if the text names no file.
   */
  border(text: string, width: number): string | undefined;
}

export function createNamedFiles(): NamedFiles {
  const known = new Set<string>();
  const marks = new Set<string>();
  return {
    found(path, chosen) {
      if (path.endsWith("/")) return;
      known.add(path);
      if (chosen) marks.add(markOf(path));
    },
    markBefore(line, column) {
      const before = line.slice(0, column);
      return [...marks].find(
        (mark) => before.endsWith(mark) && /(?:^|[\s([{])$/.test(before.slice(0, -mark.length)),
      );
    },
    isWhole(line) {
      const last = mentionsIn(line).at(-1);
      return last !== undefined && line.endsWith(last.text) && known.has(last.path);
    },
    border(text, width) {
      if (!text.includes("@")) return undefined;
      const paths = mentionsIn(text).flatMap((one) =>
        known.has(one.path) && !isImageMention(one) ? [screenLine(one.text)] : [],
      );
      if (paths.length === 0) return undefined;
      const label = fitLine(`── attaches ${paths.join(", ")} `, width);
      return label + "─".repeat(Math.max(0, width - visibleWidth(label)));
    },
  };
}

/** Returns the text with which a message names a path: `@` and the path, in quotes if necessary. */
export function markOf(path: string): string {
  return /\s/.test(path) ? `@"${path}"` : `@${path}`;
}
