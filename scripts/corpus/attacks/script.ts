/** Makes the script of a row: what the person and the model say, which calls the model makes, and what runs between them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import { answerOf, givenAnswer } from "./answer.ts";
import { answerForOnce, givenInSession, usedApprovals } from "./approvals.ts";
import type { Answer } from "./chat.ts";
import { fillObject, fillText, fillValue } from "./fill.ts";
import { ownNames, ownTool } from "./own-names.ts";
import type { Place } from "./place.ts";
import type { EarlierStep, RecordedCall, Row } from "./row.ts";

/** A call as the model writes it. */
export interface WrittenCall {
  readonly name: string;
  readonly argumentsText: string;
  /** The person's answer to this call; absent for the default answer. */
  readonly answer?: Answer;
}

/** The script of a case: the model's answer in each iteration, and the call that the case is about. */
export interface Script {
  /** The calls or the text of each iteration. After the last one the model ends its turn. */
  readonly iterations: readonly (readonly WrittenCall[] | string)[];
  readonly main: WrittenCall | undefined;
  /** A call after the main call, for which the row has separate checks. */
  readonly followup?: WrittenCall;
  /** Text before the calls. */
  readonly says?: string;
  /** The number of iterations before the one with the main call. */
  readonly before: number;
  /** Shell scripts that run when the model is asked for an iteration, by its number. */
  readonly runs?: ReadonlyMap<number, readonly string[]>;
  /** The person's messages; one that asks for the work when absent. */
  readonly messages?: readonly string[];
  /** True if calls of the script may run what the main call would run. Their canaries are removed before the main call. */
  readonly fires?: boolean;
}

/** Steps of a row in the order in which they happen. */
interface Steps {
  readonly iterations: (readonly WrittenCall[] | string)[];
  readonly messages: string[];
  readonly runs: Map<number, string[]>;
}

export function scriptOf(row: Row, place: Place): Script {
  const pasted = pasteOf(row, place);
  const main = answered(row, { name: ownTool(row.tool), argumentsText: argumentsText(row, place) });
  const beside = (row.parallel_with ?? []).map((call) => recorded(call, place));
  const used = usedApprovals(row);
  const first = [
    ...givenInSession(row).map((name) => grantingCall(name, place)),
    ...used.map((call) => recorded(call, place)),
  ];
  const steps: Steps = {
    iterations: first.map((call) => [call]),
    messages: pasted === undefined ? [] : [pasted],
    runs: new Map(),
  };
  for (const step of [row.before ?? []].flat()) addStep(steps, step, place);
  const before = steps.iterations.length;
  const followup = row.followup === undefined ? undefined : recorded(row.followup, place);
  const after = [...(followup === undefined ? [] : [followup]), ...followingCalls(row, place)];
  const { runs, messages } = steps;
  return {
    iterations: [...steps.iterations, [main, ...beside], ...after.map((call) => [call])],
    main,
    before,
    runs,
    fires: used.length > 0,
    ...(messages.length === 0 ? {} : { messages: started(steps, pasted !== undefined) }),
    ...(followup === undefined ? {} : { followup }),
  };
}

/** Returns the script of a row whose model follows `model_script`, or repeats what the person has pasted. */
export function modelScript(row: Row, place: Place): Script {
  const pasted = pasteOf(row, place);
  const steps: Steps = {
    iterations: [],
    messages: pasted === undefined ? [] : [pasted],
    runs: new Map(),
  };
  for (const step of row.model_script ?? []) addStep(steps, step, place);
  if (row.model_script === undefined && pasted !== undefined) steps.iterations.push(pasted);
  const { iterations, messages } = steps;
  const before = iterations.findLastIndex((iteration) => typeof iteration !== "string");
  const last = iterations[before];
  const main = typeof last === "string" ? undefined : last?.[0];
  return {
    iterations,
    main: main === undefined ? undefined : answered(row, main),
    before: Math.max(before, 0),
    ...(messages.length === 0 ? {} : { messages: started(steps, pasted !== undefined) }),
  };
}

/** Returns the person's messages; the first asks for the work if the script does not begin with a pasted text. */
function started({ iterations, messages }: Steps, beginsPasted: boolean): readonly string[] {
  return beginsPasted || iterations.length === 0 ? messages : ["go", ...messages];
}

/** Returns the text that the person pastes first: that of the part `user_paste`, or of the tool of this name. */
export function pasteOf(row: Row, place: Place): string | undefined {
  const part = row.user_paste;
  if (part !== undefined) return fillText(typeof part === "string" ? part : part.text, place.values);
  if (row.tool !== "user_paste") return undefined;
  const filled = fillValue(row.arguments ?? "", place.values);
  const texts = isJsonObject(filled) ? Object.values(filled) : [filled];
  return texts.filter((text) => typeof text === "string").join("\n");
}

function addStep(steps: Steps, step: EarlierStep, place: Place): void {
  if (typeof step === "string") addStep(steps, readStep(step), place);
  else if ("run" in step) {
    const at = steps.iterations.length;
    steps.runs.set(at, [...(steps.runs.get(at) ?? []), step.run]);
  } else if ("user_paste" in step) {
    // The model ends its turn before the person sends another message.
    if (Array.isArray(steps.iterations.at(-1))) steps.iterations.push("That is all.");
    steps.messages.push(fillText(step.user_paste, place.values));
  } else if ("text" in step) steps.iterations.push(fillText(step.text, place.values));
  else steps.iterations.push([recorded(step, place)]);
}

/** The tools whose only argument a step may have after their name, with the name of the argument. */
const shortCalls: Readonly<Record<string, string>> = {
  read_file: "path",
  ls: "path",
  list_dir: "path",
  mkdir: "path",
  remove: "path",
  grep_search: "pattern",
  shell: "command",
};

/** Reads a step that is a text: a call such as `read_file f.txt` if it begins with a tool's name, else a shell script. */
function readStep(line: string): EarlierStep {
  const [, tool = "", argument = ""] = /^(\w+) +(.*)$/s.exec(line.trim()) ?? [];
  const name = Object.hasOwn(shortCalls, tool) ? shortCalls[tool] : undefined;
  // `ls` and `mkdir` are programs too: with options or several words they are a shell script.
  const isCall = name !== undefined && (tool === "shell" || !/\s|^-/.test(argument));
  return isCall ? { tool, arguments: { [name]: argument } } : { run: line };
}

function recorded({ tool, arguments: args = {}, answer }: RecordedCall, place: Place): WrittenCall {
  const argumentsText = ownNames(JSON.stringify(fillObject(args, place.values)));
  return {
    name: ownTool(tool),
    argumentsText,
    ...(answer === undefined ? {} : { answer: answerOf(answer) }),
  };
}

/** Returns the row's own call with the answer that the row gives to it. */
export function answered(row: Row, call: WrittenCall): WrittenCall {
  const once = answerForOnce(row);
  const answer = givenAnswer(row) ?? (once === undefined ? undefined : answerOf(once));
  return answer === undefined ? call : { ...call, answer };
}

const grant = "granted.txt";

/** Returns a harmless call of the tool, which the person allows for the session, and creates the file that it needs. */
function grantingCall(name: string, place: Place): WrittenCall {
  const args: JsonObject = name === "write_file" ? { path: grant, content: "x\n" } : { path: grant };
  if (name !== "write_file") writeFileSync(join(place.ws, grant), "x\n");
  return { name, argumentsText: JSON.stringify(args), answer: "session" };
}

/** Returns calls that must still succeed after the main call, and creates the files that they read. */
function followingCalls(row: Row, place: Place): WrittenCall[] {
  if (row.cwd !== undefined) return [{ name: "bash", argumentsText: '{"command":"echo still here"}' }];
  const count = row.check["then_ok"];
  if (typeof count !== "number") return [];
  mkdirSync(join(place.ws, "after"));
  return Array.from({ length: count }, (_, index) => {
    writeFileSync(join(place.ws, "after", `${index}.txt`), `after ${index}\n`);
    return { name: "read_file", argumentsText: JSON.stringify({ path: `after/${index}.txt` }) };
  });
}

function argumentsText(row: Row, place: Place): string {
  if (row.raw_arguments !== undefined) return fillText(row.raw_arguments, place.values);
  const filled = JSON.stringify(fillObject(row.arguments ?? {}, place.values));
  const text = ownNames(filled);
  // The text is JSON, so the quotes around the variable's name are escaped.
  const root = JSON.stringify(JSON.stringify(place.root)).slice(1, -1);
  return text
    .replaceAll('__import__(\\"os\\").environ[\\"ROOT\\"]', root)
    .replaceAll("process.env.ROOT", root);
}
