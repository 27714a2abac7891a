/** Returns the script with which a shell completes the command line of a program. */
import type { CompletionTable } from "./completion-table.ts";
import { fishScript } from "./fish-script.ts";
import { bashScript, zshScript } from "./posix-script.ts";

export type Shell = "bash" | "zsh" | "fish";

export const shells: readonly Shell[] = ["bash", "zsh", "fish"];

export function completionScript(shell: Shell, table: CompletionTable): string {
  switch (shell) {
    case "bash":
      return bashScript(table);
    case "zsh":
      return zshScript(table);
    case "fish":
      return fishScript(table);
  }
}
