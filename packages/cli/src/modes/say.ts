/** A word of the program itself to the person in a chat, on lines of its own. */
import type { TextOutput } from "../terminal/output.ts";

export function say({ output }: { readonly output: TextOutput }, text: string): void {
  output.endLine();
  output.write(`${text}\n`);
}
