/** Tells the person something beside the output of a command. */
import { visibleLines } from "@localharness/protocol";
import { folded } from "../commands/fold-lines.ts";

/** Writes a message to standard error. Standard output may carry a protocol. */
export function warn(text: string, mark = "!"): void {
  process.stderr.write(folded(`${mark} ${visibleLines(text)}\n`, process.stderr));
}
