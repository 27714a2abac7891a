/** Reads what a SKILL.md says of its skill: the name, the description and who may use it. */
import { withoutHidden } from "../instructions/hidden-characters.ts";
import { readSkillHead } from "./skill-head.ts";

/** What the front matter of a SKILL.md says. */
export interface SkillFacts {
  readonly name: string;
  /** What the skill is for, on one line. */
  readonly description: string;
  /** False if only the person may name the skill. */
  readonly forModel: boolean;
  /** False if the skill is no slash command. */
  readonly forPerson: boolean;
  /** The keys that ask for rights or for another model, which this program ignores. */
  readonly ignored: readonly string[];
}

/** The keys with which a skill asks for what only the person can give. */
const claims = ["allowed-tools", "tools", "model", "hooks", "agent", "context", "permissions", "shell"];
const maxDescriptionChars = 1_024;

/**
 * Returns the facts of a skill in the folder `folderName`, or an error message for an invalid file. `text` may be only the
 * beginning of the file.
 */
export function readSkillFacts(text: string, folderName: string): SkillFacts | string {
  const head = readSkillHead(text);
  if (!head.ok) return `line ${head.line}: ${head.problem}`;
  const { values } = head;
  const name = values["name"] || folderName;
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/i.test(name)) {
    return `"name" expects up to 64 letters, digits, - or _, got ${JSON.stringify(name.slice(0, 80))}`;
  }
  const description = withoutHidden(values["description"] ?? "", name)
    .text.replace(/\s+/g, " ")
    .trim();
  if (description === "") return '"description" is missing: it says what the skill is for';
  return {
    name,
    description: description.slice(0, maxDescriptionChars).toWellFormed(),
    forModel: values["disable-model-invocation"] !== "true",
    forPerson: values["user-invocable"] !== "false",
    ignored: claims.filter((key) => key in values),
  };
}

/** Returns the text of a SKILL.md below its front matter; the whole text if the front matter cannot be read. */
export function skillBody(text: string): string {
  const head = readSkillHead(text);
  return head.ok ? head.body.trim() : text.trim();
}
