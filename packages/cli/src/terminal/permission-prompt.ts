/** Asks the person line by line about one call and reads the answer. */
import type { PersonsAnswer } from "@localharness/engine";
import type { PermissionAnswer, PermissionRequest } from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import { type AnswerLines, askLine, type LineReading } from "./open-prompt.ts";
import type { TextOutput } from "./output.ts";
import { permissionText } from "./permission-text.ts";

const answers: Readonly<Record<string, PermissionAnswer>> = {
  "1": "once",
  a: "once",
  y: "once",
  "2": "session",
  s: "session",
  "3": "remember",
  r: "remember",
  "4": "deny",
  d: "deny",
  n: "deny",
};

/** The beginning of a line that objects in free words. */
const objection = /^(?:no|nope|not|never|stop|don['’]?t|do not)\b/i;
/** Punctuation after a denial, as in `4. use another file`. */
const stops = /[,.:;!)]+$/;
const howToAnswer =
  "Type 1 (once), 2 (session), 3 (remember), 4 (deny, with a note if you like) or v (show all).\n";

/**
 * Asks until the answer is clear. Words after a denial are a note to the model. Returns a denial at the end of input or
 * when `signal` aborts.
 */
export async function askPermission(
  request: PermissionRequest,
  output: TextOutput,
  lines: AnswerLines,
  signal?: AbortSignal,
): Promise<PersonsAnswer> {
  output.endLine();
  output.raw(`\n${permissionText(request)}`);
  const read = (line: string): LineReading<PersonsAnswer> =>
    line.trim().toLowerCase() === "v"
      ? { kind: "again", text: `\n${permissionText(request, true)}` }
      : readAnswer(line.trim());
  const given = await askLine({ lines, output, read, ...defined({ signal }) });
  if (given !== undefined) return given;
  output.raw("no answer: denied\n");
  return { answer: "deny" };
}

/** Reads a line. An answer that allows must be alone on its line, because words after it may take it back. */
function readAnswer(line: string): LineReading<PersonsAnswer> {
  const [word = ""] = line.split(/\s/);
  const answer = answerOf(line);
  if (answer !== undefined && answer !== "deny") return { kind: "answer", answer: { answer }, allows: true };
  if (answerOf(word.replace(stops, "")) === "deny") return denied(line.slice(word.length).trim());
  if (objection.test(line)) return denied(word === line ? "" : line);
  const more = answerOf(word) === undefined ? "" : "An answer that allows must be alone on its line. ";
  return { kind: "again", text: `${more}${howToAnswer}` };
}

function denied(note: string): LineReading<PersonsAnswer> {
  const answer: PersonsAnswer = note === "" ? { answer: "deny" } : { answer: "deny", note };
  return { kind: "answer", answer, allows: false };
}

function answerOf(word: string): PermissionAnswer | undefined {
  const name = word.toLowerCase();
  return Object.hasOwn(answers, name) ? answers[name] : undefined;
}
