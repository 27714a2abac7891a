/** Translates the generic names of the rows to this program's names: tools and folders. */

const tools: ReadonlyMap<string, string> = new Map([
  ["shell", "bash"],
  ["edit", "edit_file"],
]);

export function ownTool(name: string): string {
  return tools.get(name) ?? name;
}

/** Returns the text with generic folders replaced by the program's own. */
export function ownNames(text: string): string {
  return text
    .replaceAll(".config/harness", ".config/localharness")
    .replaceAll(".local/share/harness", ".local/state/localharness")
    .replaceAll(".harness/", ".localharness/")
    .replaceAll("mkdir .harness;", "mkdir .localharness;");
}
