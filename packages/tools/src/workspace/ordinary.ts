/** Decides which files can be read without a question in a trusted folder. */
import { protectedName } from "./protected.ts";
import { secretName } from "./secret-name.ts";

/**
 * Returns true for a path with neither the name of a secret nor a protected name. A file with a protected name may contain
 * keys too.
 */
export function isOrdinary(path: string): boolean {
  return secretName(path) === undefined && protectedName(path) === undefined;
}
