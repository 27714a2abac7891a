/**
 * Replaces old answers, with their calls and results, with a note. The note lists what the calls did and which of them
 * failed.
 */
import { countText, type FoldedMessages, type ModelMessage } from "@localharness/protocol";
import { type ListedResult, listResults } from "./list-results.ts";
import { workSoFar } from "./work-so-far.ts";

/** The number of newest answers that are kept. */
const newestAnswers = 4;
/** The minimum number of answers that a note replaces. */
const minAnswers = 4;
const maxCallChars = 80;
const maxErrorChars = 120;
/** The maximum characters of the list of failed calls, which is enough for at least 17 calls. */
const maxFailureChars = 4_000;
/** The maximum length of the list of open tasks in the note, in characters. */
const maxTaskChars = 2_000;
const maxAnswerChars = 400;

/**
 * Returns how many messages to fold, and the note that replaces their answers. All messages before the newest four answers
 * are folded. `before` is the number of messages that are already folded. `keep` is a wish of the person, which the note
 * repeats. The note has about `maxChars` characters; more if the failed calls and open tasks need more. Returns undefined
 * if fewer than four answers would be folded that are not folded yet.
 */
export function foldAnswers(
  whole: readonly ModelMessage[],
  before: number,
  maxChars: number,
  keep?: string,
): FoldedMessages | undefined {
  const answers = whole.flatMap((message, index) => (message.role === "assistant" ? [index] : []));
  const messages = answers.at(-newestAnswers);
  if (messages === undefined || answers.length <= newestAnswers) return undefined;
  if (answers.filter((index) => index >= before && index < messages).length < minAnswers) return undefined;
  return { messages, note: noteOf(whole.slice(0, messages), maxChars, keep) };
}

function noteOf(folded: readonly ModelMessage[], maxChars: number, keep: string | undefined): string {
  const results = listResults(folded);
  const answers = folded.filter((message) => message.role === "assistant");
  const failed = distinct(results.filter(isFailure).map(failureLine));
  const work = workSoFar(results);
  const done = distinct(
    results
      .filter((result) => !isFailure(result) && !work.told.has(result))
      .map((result) => short(result.call, maxCallChars)),
  );
  const files = folded.flatMap((message) =>
    message.role === "user" && message.from === "file" ? [`- ${message.path ?? "a file"}`] : [],
  );
  const last = answers.findLast(({ content }) => content.trim() !== "")?.content;
  const head = `To save room in the context window, ${countText(answers.length, "earlier answer")} and ${countText(results.length, "tool result")} are left out here. The work goes on after this note.`;
  // Failures come first, because the model would repeat a failed call that it does not know of.
  const failures = list("Calls that failed, with the error:", failed, maxFailureChars);
  const tasks = list("Open tasks:", work.openTasks, maxTaskChars);
  const changed = list("Files that were changed:", work.changed, maxChars / 4);
  const kept = [...failures, ...tasks, ...changed];
  const room = maxChars - kept.join("\n").length - head.length - maxAnswerChars;
  const rest = Math.max(maxChars / 8, room);
  const lists = [
    kept,
    list("Files that were read and can be read again:", work.read, rest / 2),
    list("Other calls that succeeded:", done, rest / 2),
    list("Attached files that you can read again:", distinct(files), maxChars / 10),
  ];
  const said =
    last === undefined ? [] : [`The last text of the answers left out: ${short(last, maxAnswerChars)}`];
  const asked = keep === undefined ? [] : [`The person asked you to keep this in mind: ${keep}`];
  return [head, ...asked, ...lists.flat(), ...said].join("\n");
}

function isFailure({ result }: ListedResult): boolean {
  return result.fields["success"] === false;
}

function failureLine({ call, result }: ListedResult): string {
  const type = result.fields["error_type"];
  return `${short(call, maxCallChars)}: ${typeof type === "string" ? `${type}: ` : ""}${short(result.error, maxErrorChars)}`;
}

/**
 * Returns the title and the newest lines, which have at most `maxChars` characters together unless a single line is longer.
 * Says how many lines are left out. Returns an empty list if there are no lines.
 */
function list(title: string, lines: readonly string[], maxChars: number): readonly string[] {
  if (lines.length === 0) return [];
  const kept: string[] = [];
  let chars = 0;
  for (const line of lines.toReversed()) {
    chars += line.length + 3;
    if (chars > maxChars && kept.length > 0) break;
    kept.unshift(line.startsWith("- ") ? line : `- ${line}`);
  }
  const missing = lines.length - kept.length;
  return [title, ...(missing === 0 ? [] : [`- (${missing} older, not listed)`]), ...kept];
}

function distinct(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)];
}

/** Returns the text on one line, cut after `max` characters. */
function short(text: string, max: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= max ? line : `${line.slice(0, max)}...`;
}
