/** Reads what the person types after `/add-dir`, for every screen. */

/** `yes` trusts an added folder, `read` only reads it. */
export type FolderTrustChoice = "yes" | "read";

export type FolderChange =
  | { readonly kind: "add"; readonly path: string; readonly trust?: FolderTrustChoice }
  | { readonly kind: "remove"; readonly path: string };

/** Returns the change: `PATH`, `PATH yes`, `PATH read`, `remove PATH`; undefined for no words, which ask for the list. */
export function readFolderChange(words: string): FolderChange | undefined {
  const text = words.trim();
  if (text === "") return undefined;
  const [, removed] = /^(?:remove|rm)\s+(.+)$/s.exec(text) ?? [];
  if (removed !== undefined) return { kind: "remove", path: unquoted(removed) };
  const [, path, trust] = /^(.+?)\s+(yes|read)$/s.exec(text) ?? [];
  if (path === undefined) return { kind: "add", path: unquoted(text) };
  return { kind: "add", path: unquoted(path), trust: trust === "yes" ? "yes" : "read" };
}

/** Returns the path without the quotes around it. */
function unquoted(path: string): string {
  return /^(["'])(.+)\1$/s.exec(path)?.[2] ?? path;
}
