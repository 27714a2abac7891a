/** Cleans the name that a client gives itself. */
import { visibleLine } from "@localharness/protocol";

const maxNameChars = 60;

/** Returns the name that other clients see. */
export function clientName(given: string | undefined): string {
  const clean = visibleLine(given ?? "")
    .trim()
    .slice(0, maxNameChars);
  return clean === "" ? "another client" : clean;
}
