/** Prints a message of the program in a chat, on separate lines. */
import type { TextOutput } from "../terminal/output.ts";

export function say({ output }: { readonly output: TextOutput }, text: string): void {
  output.endLine();
  output.write(`${text}\n`);
}
