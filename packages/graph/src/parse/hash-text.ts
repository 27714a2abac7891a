import { hash } from "node:crypto";

/** Returns the hash by which the index recognizes a text. */
export function hashText(text: string): string {
  return hash("sha1", text, "hex");
}
