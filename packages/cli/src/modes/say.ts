/** Prints a message of the program in a chat, on lines without other text. */
import { folded } from "@localharness/harness/fold-lines";
import type { TextOutput } from "../terminal/output.ts";

export function say({ output }: { readonly output: TextOutput }, text: string): void {
  output.endLine();
  output.write(folded(`${text}\n`));
}
