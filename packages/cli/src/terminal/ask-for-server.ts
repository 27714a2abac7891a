/** Asks the person line by line what an MCP server or the model wants to know. */
import {
  answerGoesText,
  askerText,
  type JsonObject,
  type JsonValue,
  modelRequestText,
  numberedChoices,
  type QuestionAnswer,
  type QuestionField,
  readValue,
  type ServerQuestion,
  typedKind,
} from "@localharness/protocol";
import { type AnswerLines, askLine, type LineReading } from "./open-prompt.ts";
import type { TextOutput } from "./output.ts";
import { judgedText } from "./plain-text.ts";

const howToRefuse = "/decline refuses, /cancel leaves the question.";

/**
 * Asks for each value and then whether to send the values; for a page or a request to the model asks only for `yes`. A bar
 * marks the server's text, which must not look like this program's. Cancels at the end of input or if `signal` aborts.
 */
export async function askForServer(
  question: ServerQuestion,
  output: TextOutput,
  lines: AnswerLines,
  signal: AbortSignal,
): Promise<QuestionAnswer> {
  const ask = <Answer>(read: (line: string) => LineReading<Answer>) =>
    askLine<Answer | QuestionAnswer>({
      lines,
      output,
      signal,
      read: (line) => readRefusal(line) ?? read(line),
    });
  output.endLine();
  const { asks } = question;
  if (asks.kind === "model") {
    output.raw(`\n${capital(askerText(question))} asks for an answer of your model:\n`);
    output.raw(`${modelRequestText(asks)}\nType yes to allow this once, or /decline.\n`);
    return refusalOr(await ask(readConsent), { action: "accept", values: {} });
  }
  output.raw(`\n${capital(askerText(question))} asks you. ${answerGoesText(question)}\n`);
  output.raw(quoted(question.message));
  if (asks.kind === "page") {
    output.raw(`It wants you to open this page in your browser:\n  ${judgedText(asks.url)}\n`);
    output.raw(`Nothing opens it but you. Type yes if you open it. ${howToRefuse}\n`);
    return refusalOr(await ask(readConsent), { action: "accept", values: {} });
  }
  const values: Record<string, JsonValue> = {};
  for (const [at, field] of asks.fields.entries()) {
    output.raw(fieldText(field, `${at + 1}/${asks.fields.length}`));
    const given = await ask((line) => readField(field, line));
    if (given === undefined || "action" in given) return given ?? { action: "cancel" };
    if (given.value !== undefined) values[field.name] = given.value;
  }
  // A question of the model has one field, so that there is nothing to look over.
  if (question.server === undefined) return { action: "accept", values };
  output.raw(`Sends to ${JSON.stringify(question.server)}: ${judgedText(JSON.stringify(values))}\n`);
  output.raw(`Enter sends it. ${howToRefuse}\n`);
  return refusalOr(await ask(readSending), { action: "accept", values: values as JsonObject });
}

function refusalOr(given: QuestionAnswer | "yes" | undefined, accepted: QuestionAnswer): QuestionAnswer {
  return given === "yes" ? accepted : (given ?? { action: "cancel" });
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function readRefusal(line: string): LineReading<QuestionAnswer> | undefined {
  const action = /^\/(decline|cancel)$/.exec(line.trim())?.[1];
  return action === "decline" || action === "cancel"
    ? { kind: "answer", answer: { action }, allows: false }
    : undefined;
}

function readConsent(line: string): LineReading<"yes"> {
  if (line.trim().toLowerCase() === "yes") return { kind: "answer", answer: "yes", allows: true };
  return { kind: "again", text: `Type yes, /decline or /cancel.\n` };
}

function readSending(line: string): LineReading<"yes"> {
  if (/^(?:y|yes)?$/i.test(line.trim())) return { kind: "answer", answer: "yes", allows: true };
  return { kind: "again", text: "Press Enter to send it, or type /decline or /cancel.\n" };
}

function readField(
  field: QuestionField,
  line: string,
): LineReading<{ readonly value: JsonValue | undefined }> {
  const read = readValue(field, line);
  if (read.ok) return { kind: "answer", answer: { value: read.value }, allows: false };
  return { kind: "again", text: `${read.message}; ${howToRefuse}\n` };
}

function fieldText(field: QuestionField, place: string): string {
  const { title, about, required, preset } = field;
  const kind = kindText(field);
  const facts = [kind, required ? "needed" : "Enter leaves it out"];
  if (preset !== undefined) facts[1] = `Enter takes ${JSON.stringify(preset)}`;
  const list = numberedChoices(field).join("\n");
  return `${place} ${judgedText(title)} (${judgedText(facts.join("; "))})\n${quoted([about ?? "", list].join("\n").trim())}`;
}

function kindText(field: QuestionField): string {
  if (field.choices === undefined) return typedKind(field);
  return field.type === "choices" ? "numbers, separated by commas" : "a number";
}

/** Marks each line of a text that is not this program's. */
function quoted(text: string): string {
  const lines = judgedText(text).split("\n");
  return text === "" ? "" : `${lines.map((line) => `  │ ${line}`).join("\n")}\n`;
}
