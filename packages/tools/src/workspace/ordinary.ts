/** Decides which files can be read without a question in a trusted folder. */
import { protectedName } from "./protected.ts";
import { secretName } from "./secret-name.ts";

/** Returns true for a path that has neither the name of a secret nor a protected name, which may hold keys too. */
export function isOrdinary(path: string): boolean {
  return secretName(path) === undefined && protectedName(path) === undefined;
}
