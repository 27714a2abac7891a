/** Decides which files can be read without a question in a trusted folder. */
import { protectedRow } from "./protected.ts";
import { secretName } from "./secret-name.ts";

/**
 * Returns true for a path that has neither the name of a secret nor a protected name, because protected files may contain keys
 * too. A protected file that is common in projects, such as instructions, is ordinary.
 */
export function isOrdinary(path: string): boolean {
  const row = protectedRow(path);
  return secretName(path) === undefined && (row === undefined || row.common === true);
}
