import { hash } from "node:crypto";

/** Returns the hash by which the index recognises a text. */
export function hashText(text: string): string {
  return hash("sha1", text, "hex");
}
