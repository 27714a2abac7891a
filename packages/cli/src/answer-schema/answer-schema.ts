/** The schema that the answer of a run has to follow: read from a file, told to the model, checked at the end. */
import { readFile } from "node:fs/promises";
import { coerceValue, type JsonSchema, usageError } from "@localharness/engine";
import { isJsonObject, type JsonObject, type JsonValue, reasonOf } from "@localharness/protocol";
import { readJsonSource } from "@localharness/store/json-source";
import { createValueCheck } from "./check-value.ts";

export interface AnswerSchema {
  readonly schema: JsonObject;
  /** What the model is told below the message. */
  readonly instruction: string;
  check(answer: string): CheckedAnswer;
  /** What is asked when the answer was not right. */
  askAgain(problem: string): string;
}

export type CheckedAnswer =
  | { readonly ok: true; readonly value: JsonValue }
  /** What is wrong, for the model to mend it. */
  | { readonly ok: false; readonly problem: string };

/** Throws a `HarnessError` (`usage`) for a file that is no schema, and for one that cannot be checked as a whole. */
export async function readAnswerSchema(path: string): Promise<AnswerSchema> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw usageError(`--schema ${path} cannot be read: ${reasonOf(error)}`, error);
  });
  const source = readJsonSource(text);
  if (!source.ok) throw usageError(`--schema ${path}:${source.line}:${source.column}: ${source.message}`);
  if (!isJsonObject(source.value)) throw usageError(`--schema ${path}: a schema is an object`);
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
      // "3" for 3 is mended as in the arguments of a call, when the schema then holds to the letter.
      const mended = coerceValue(found, schema as JsonSchema, "$");
      if (mended.ok && problemsOf(mended.value).length === 0) return { ok: true, value: mended.value };
      return { ok: false, problem: problems.join("; ") };
    },
  };
}

/** The text as JSON, alone or as the only code block in it; with one key twice it is none. */
function jsonIn(answer: string): JsonValue | undefined {
  const whole = readJsonSource(answer.trim());
  if (whole.ok) return whole.value;
  const [only, ...others] = codeBlocks(answer);
  if (only === undefined || others.length > 0) return undefined;
  const inside = readJsonSource(only.trim());
  return inside.ok ? inside.value : undefined;
}

/** What stands between fences, each with the next that is like it. */
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
