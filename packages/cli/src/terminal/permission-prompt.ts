/** Asks the person line by line about one call, and reads the answer. */
import type { PersonsAnswer } from "@localharness/engine";
import { planByLine } from "@localharness/harness/plan-by-line";
import type { PermissionRequest } from "@localharness/protocol";
import { defined, denialNumber, offeredChoices, widerAnswers } from "@localharness/protocol";
import { type AnswerLines, askLine, type LineReading } from "./open-prompt.ts";
import type { TextOutput } from "./output.ts";
import { permissionText } from "./permission-text.ts";

const answers: Readonly<Record<string, PersonsAnswer>> = {
  "1": { answer: "once" },
  a: { answer: "once" },
  y: { answer: "once" },
  "2": { answer: "session" },
  s: { answer: "session" },
  "3": { answer: "remember" },
  r: { answer: "remember" },
  "4": { answer: "deny" },
  d: { answer: "deny" },
  n: { answer: "deny" },
};

/** The answers to a question that also offers the wider scope. */
const withWider: typeof answers = {
  ...answers,
  ...Object.fromEntries(widerAnswers.map(({ number, answer }) => [number, { answer, wider: true }])),
};

/** Matches the beginning of a line that objects in free words. */
const objection = /^(?:no|nope|not|never|stop|don['’]?t|do not)\b/i;
/** Matches punctuation after a denial, as in `4. use another file`. */
const stops = /[,.:;!)]+$/;
const howToAnswer =
  "Type 1 (once), 2 (session), 3 (remember), 4 (deny, with a note if you like) or v (show all).\n";

/**
 * Asks until the answer is clear. Words after a denial become a note to the model. Returns a denial at the end of input
 * or when `signal` aborts.
 */
export async function askPermission(
  request: PermissionRequest,
  output: TextOutput,
  lines: AnswerLines,
  signal?: AbortSignal,
): Promise<PersonsAnswer> {
  const plan = planByLine(request);
  const usual = { answers: request.wider === undefined ? answers : withWider, howToAnswer };
  const known = plan ?? offersByLine(request) ?? usual;
  output.endLine();
  output.raw(`\n${plan?.text ?? permissionText(request)}`);
  const read = (line: string): LineReading<PersonsAnswer> =>
    plan === undefined && line.trim().toLowerCase() === "v"
      ? { kind: "again", text: `\n${permissionText(request, true)}` }
      : readAnswer(line.trim(), known.answers, known.howToAnswer);
  const given = await askLine({ lines, output, read, ...defined({ signal }) });
  if (given !== undefined) return given;
  output.raw("no answer: denied\n");
  return { answer: "deny" };
}

/** Returns the answers to a question whose tool makes offers, by the words that the person types; undefined for any other. */
function offersByLine(request: PermissionRequest) {
  const offered = offeredChoices(request);
  if (offered === undefined) return undefined;
  const denial: PersonsAnswer = { answer: "deny" };
  const numbered = offered.map(({ number, answer, offer }) => [
    String(number),
    { answer, ...defined({ offer }) },
  ]);
  return {
    answers: { ...Object.fromEntries(numbered), d: denial, n: denial } as typeof answers,
    howToAnswer: `Type the number of an answer, ${denialNumber} denies, with a note if you like, or v (show all).\n`,
  };
}

/** Reads a line. An answer that allows must be alone on its line, because other words may contradict it. */
function readAnswer(line: string, known: typeof answers, howTo: string): LineReading<PersonsAnswer> {
  const answerOf = (word: string) => {
    const name = word.toLowerCase();
    return Object.hasOwn(known, name) ? known[name] : undefined;
  };
  const [word = ""] = line.split(/\s/);
  const answer = answerOf(line);
  if (answer !== undefined && answer.answer !== "deny") return { kind: "answer", answer, allows: true };
  if (answerOf(word.replace(stops, ""))?.answer === "deny") return denied(line.slice(word.length).trim());
  if (objection.test(line)) return denied(word === line ? "" : line);
  const more = answerOf(word) === undefined ? "" : "An answer that allows must be alone on its line. ";
  return { kind: "again", text: `${more}${howTo}` };
}

function denied(note: string): LineReading<PersonsAnswer> {
  const answer: PersonsAnswer = note === "" ? { answer: "deny" } : { answer: "deny", note };
  return { kind: "answer", answer, allows: false };
}
