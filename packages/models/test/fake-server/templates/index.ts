/** Loads the chat templates of the tests, each as strict as those of one real family; `uselessTemplates` are broken. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The file name, and what the template is strict about. */
export const ownTemplates = {
  "takes-all": "takes every history",
  "nine-characters": "ids of nine characters, and roles that take turns",
  "takes-turns": "no system role, no tools, roles that take turns",
  "three-roles": "no tools, drops what a tool said",
  "single-calls": "one call in a message, and no text beside it",
  "text-or-thought": "text or a thought beside a call, not both",
  "string-methods": "calls methods of the text, which null has not",
  "says-none": "writes None for a text that is null",
  "first-part": "takes the first part of what is no text",
  "null-beside-calls": "writes calls only where the text is null",
  "object-arguments": "takes arguments apart",
  "parts-only": "takes lists of parts alone, images among them",
  "turns-but-tools": "roles that take turns, apart from those of tools",
  "drops-system": "no system role, no tools, and does not say so",
} as const;

export const uselessTemplates = ["throws", "loops", "grows", "nothing"] as const;

export type OwnTemplate = keyof typeof ownTemplates | (typeof uselessTemplates)[number];

export function readTemplate(name: OwnTemplate): string {
  return readFileSync(join(import.meta.dirname, `${name}.jinja`), "utf8");
}
