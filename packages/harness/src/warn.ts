/** Tells the person something beside the output of a command. */
import { visibleLine } from "@localharness/protocol";
import { folded } from "./fold-lines.ts";

/** Writes a line to standard error. Standard output may carry a protocol. */
export function warn(text: string, mark = "!"): void {
  process.stderr.write(folded(`${mark} ${visibleLine(text)}\n`, process.stderr));
}
