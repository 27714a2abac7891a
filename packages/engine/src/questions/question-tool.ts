/**
 * The tool `ask_person`: the model asks the person one question, with up to four likely answers. The answer is information and
 * allows no call.
 */

import type { JsonObject } from "@localharness/protocol";
import { countText } from "@localharness/protocol";
import type { Told } from "../calls/texts.ts";
import { defineTool, failed, type Tool, type ToolOutput } from "../tool.ts";
import type { AskPerson } from "./ask-person.ts";

export const questionToolName = "ask_person";

const maxQuestionChars = 2_000;
const maxAnswers = 4;
const maxAnswerChars = 200;
/** The time limit: a day, because the person may be away. */
const timeoutMs = 24 * 60 * 60 * 1_000;
/** The name of the only field of the question. */
const fieldName = "answer";

/** Returns the tool. `isAlone` returns true if nobody can answer; the model then does not get the tool's description. */
export function createQuestionTool(isAlone: () => boolean): Tool {
  return defineTool({
    name: questionToolName,
    // Short, because each prompt has it: a small window has no room to spare.
    description: "Ask the person what only they can decide.",
    parameters: {
      type: "object",
      properties: {
        question: { type: "string" },
        answers: { type: "array", items: { type: "string" } },
        default: { type: "string" },
      },
      required: ["question"],
    },
    aliases: ["ask_user", "ask_user_question", "ask_followup_question", "request_user_input", "ask_human"],
    parameterAliases: {
      question: ["prompt", "message", "text"],
      answers: ["options", "choices", "suggestions", "follow_up"],
      default: ["default_answer"],
    },
    risk: "safe",
    readOnly: true,
    timeoutMs,
    hidden: isAlone,
    execute: (args, { askPerson, signal }) => ask(args, askPerson, signal),
  });
}

async function ask(
  args: JsonObject,
  askPerson: AskPerson | undefined,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const question = textOf(args["question"]);
  const answers = Array.isArray(args["answers"]) ? args["answers"].map(textOf) : [];
  const preset = textOf(args["default"]);
  const problem = problemOf(question, answers, preset);
  if (problem !== undefined) return failed("validation_failed", problem);
  const given = await askPerson?.(
    {
      message: question,
      asks: {
        kind: "form",
        fields: [
          {
            ...{ name: fieldName, title: "Your answer", type: "text", required: true },
            ...(answers.length === 0 ? {} : { suggestions: answers }),
            ...(preset === "" ? {} : { preset }),
          },
        ],
      },
    },
    signal,
  );
  if (given?.action === "accept") return { ok: true, data: textOf(given.values[fieldName]) };
  if (given?.by === "person") return { ok: false, errorType: "cancelled", ...declinedText };
  if (signal.aborted) return failed("cancelled", "the question was not answered: the turn was interrupted");
  if (preset === "") return failed("not_found", aloneText);
  return { ok: true, data: preset, notes: ["nobody can be asked here, so this is your default"] };
}

const declinedText: Told = {
  message:
    "the person does not answer this question. Go on without the answer, or end your turn and say what you need.",
  why: "you did not answer",
};
const aloneText =
  "nobody can be asked here. Decide yourself and say what you decided, or end your turn and say what you need.";

function problemOf(question: string, answers: readonly string[], preset: string): string | undefined {
  if (question === "") return 'the question is empty: say in "question" what you want to know';
  if (question.length > maxQuestionChars) {
    return `the question has ${countText(question.length, "character")}, at most ${maxQuestionChars} are shown: ask for one thing`;
  }
  if (answers.length > maxAnswers) {
    return `there are ${countText(answers.length, "answer")}, at most ${maxAnswers} can be offered: the person can type any other`;
  }
  const odd = [...answers, preset].find((answer) => answer.length > maxAnswerChars);
  if (odd !== undefined) {
    return `an answer has ${countText(odd.length, "character")}, at most ${maxAnswerChars}`;
  }
  if (answers.includes("")) return "an answer is empty";
  return undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
