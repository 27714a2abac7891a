/** Reads the text of a skill, and of the files beside it, for the model. */
import { countText } from "@localharness/protocol";
import type { Outcome } from "@localharness/workspace/outcome";
import { withoutHidden } from "../instructions/hidden-characters.ts";
import { type Skill, skillFile } from "./load-skills.ts";
import { skillBody } from "./skill-file.ts";

/** The number of bytes of a file that are read. */
const maxBytes = 256 * 1024;

/** Returns the text of a file of the skill, without invisible characters; of SKILL.md without its front matter. */
export async function readSkillText(skill: Skill, file: string = skillFile): Promise<Outcome<string>> {
  const opened = await skill.open(file);
  if (!opened.ok) return opened;
  using open = opened.value;
  const bytes = await open.read(maxBytes);
  if (bytes.includes(0)) {
    const message = `"${file}" of the skill ${skill.name} is not a text file.`;
    return { ok: false, errorType: "validation_failed", message };
  }
  const { text } = withoutHidden(bytes.toString("utf8"), file);
  const body = file === skillFile ? skillBody(text) : text;
  const { size } = open.stats;
  const cut =
    size > bytes.length
      ? `\n[cut: ${file} has ${countText(size, "byte")}, the first ${maxBytes} are read]`
      : "";
  return { ok: true, value: body + cut };
}

/** Returns the message that asks the model to use a skill. `typed` is the text that the person typed after its name. */
export function skillMessage(skill: Skill, text: string, typed: string, maxChars: number): string {
  // The text of the skill must not contain a tag that ends the section.
  const safe = text.replaceAll("$ARGUMENTS", () => typed.trim()).replaceAll(/<(?=\/?skill\b)/gi, "< ");
  const isCut = safe.length > maxChars;
  const shown = isCut
    ? `${safe.slice(0, maxChars).toWellFormed()}\n[cut: the skill has ${countText(safe.length, "character")}; read_skill has the rest]`
    : safe;
  const place =
    skill.origin === "project"
      ? `. Its files are in ${skill.folder}/`
      : "; read_skill reads the files beside it";
  const more = typed.trim() === "" || text.includes("$ARGUMENTS") ? "" : `\n\n${typed.trim()}`;
  return `Use the skill ${skill.name}: do what it says${place}.\n<skill name="${skill.name}">\n${shown}\n</skill>${more}`;
}
