/** Reads the JSON Schema of `--schema`, writes the instruction for the model and checks the final answer against it. */
import { readFile } from "node:fs/promises";
import { usageError } from "@localharness/engine";
import { isJsonObject, type JsonObject, type JsonValue, reasonOf } from "@localharness/protocol";
import { coerce, parametersSchema } from "@localharness/schema";
import { readJsonSource } from "@localharness/store/json-source";
import { createValueCheck } from "./check-value.ts";

export interface AnswerSchema {
  readonly schema: JsonObject;
  /** The text for the model that is added below the message. */
  readonly instruction: string;
  check(answer: string): CheckedAnswer;
  /** Returns the message that asks the model to correct its answer. */
  askAgain(problem: string): string;
}

export type CheckedAnswer =
  | { readonly ok: true; readonly value: JsonValue }
  /** The problem in words, so that the model can correct its answer. */
  | { readonly ok: false; readonly problem: string };

/**
 * Reads a schema file. Rejects with a `HarnessError` (`usage`) if the file cannot be read or is not a schema, or if some
 * part of the schema cannot be checked.
 */
export async function readAnswerSchema(path: string): Promise<AnswerSchema> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw usageError(`--schema ${path} cannot be read: ${reasonOf(error)}`, error);
  });
  const source = readJsonSource(text);
  if (!source.ok) throw usageError(`--schema ${path}:${source.line}:${source.column}: ${source.message}`);
  if (!isJsonObject(source.value)) throw usageError(`--schema ${path}: a schema must be an object`);
  const check = createValueCheck(source.value);
  if (!check.ok) throw usageError(`--schema ${path}: ${check.problem}`);
  return answerSchema(source.value, check.problemsOf);
}

function answerSchema(schema: JsonObject, problemsOf: (value: JsonValue) => readonly string[]): AnswerSchema {
  return {
    schema,
    instruction: `When you are done, answer with one JSON value and nothing else: no words around it, no code fence. It has to follow this JSON Schema:\n${JSON.stringify(schema)}`,
    askAgain: (problem) =>
      `Your last answer does not follow the JSON Schema: ${problem}. Answer again with the whole JSON value and nothing else.`,
    check(answer) {
      const found = jsonIn(answer);
      if (found === undefined) return { ok: false, problem: "it is not one JSON value" };
      const problems = problemsOf(found);
      if (problems.length === 0) return { ok: true, value: found };
      // Types are coerced as in the arguments of a call ("3" becomes 3), but only if the result follows the schema
      // exactly.
      const coerced = coerce(found, parametersSchema(schema), "$").value;
      if (problemsOf(coerced).length === 0) return { ok: true, value: coerced };
      return { ok: false, problem: problems.join("; ") };
    },
  };
}

/**
 * Returns the JSON value that is the whole answer, or that is its only code block; undefined if there is none. JSON
 * with a duplicate key is not accepted.
 */
function jsonIn(answer: string): JsonValue | undefined {
  const whole = readJsonSource(answer.trim());
  if (whole.ok) return whole.value;
  const [only, ...others] = codeBlocks(answer);
  if (only === undefined || others.length > 0) return undefined;
  const inside = readJsonSource(only.trim());
  return inside.ok ? inside.value : undefined;
}

/** Returns the contents of the code blocks. A block ends at the next fence that equals its opening fence. */
function codeBlocks(answer: string): readonly string[] {
  const blocks: string[] = [];
  let open: { readonly fence: string; readonly lines: string[] } | undefined;
  for (const line of answer.split(/\r?\n/)) {
    const [, fence = "", rest = ""] = /^[ \t]*(```+|~~~+)(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (fence !== "") open = { fence, lines: [] };
    } else if (fence === open.fence && rest.trim() === "") {
      blocks.push(open.lines.join("\n"));
      open = undefined;
    } else open.lines.push(line);
  }
  return blocks;
}
