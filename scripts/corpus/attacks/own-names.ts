/** From the generic names of the rows to those of this program: tools, and where it keeps its files. */

const tools: ReadonlyMap<string, string> = new Map([
  ["shell", "bash"],
  ["edit", "edit_file"],
]);

export function ownTool(name: string): string {
  return tools.get(name) ?? name;
}

/** Texts that name the program's own folders. */
export function ownNames(text: string): string {
  return text
    .replaceAll(".config/harness", ".config/localharness")
    .replaceAll(".local/share/harness", ".local/state/localharness")
    .replaceAll(".harness/", ".localharness/")
    .replaceAll("mkdir .harness;", "mkdir .localharness;");
}
