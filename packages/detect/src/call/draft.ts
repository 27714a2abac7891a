/** Keeps the parts of a call while it is read, and turns them into events. */
import {
  bareArguments,
  isObject,
  parametersSchema,
  propertySchema,
  requiredNames,
} from "@localharness/schema";
import { parseJson, readJson } from "../json/read-json.ts";
import { jsonReading, noteRepair } from "../json/result.ts";
import type { Reader } from "../scan/input.ts";
import type { Scan } from "../scan/scan.ts";
import type { CallFormat, JsonObject, JsonValue, Repair, ToolCallErrorReason, ToolSchema } from "../types.ts";
import { plainArguments } from "../xml/bare-text.ts";
import { coerceArguments } from "./coerce-arguments.ts";
import { declaredOnly } from "./declared-only.ts";
import { nearTool } from "./near-tool.ts";
import { innerTool, isBrokenCall, unwrapArguments } from "./unwrap.ts";

/**
 * The certainty that a text is a call. `framed`: the markup of a call surrounds it, so a call that cannot be read becomes an
 * error. `plain`: it looks like ordinary text, so anything doubtful stays text.
 */
export type Certainty = "framed" | "plain";

export interface CallDraft {
  readonly mark: number;
  /** The offset at which the draft's text ends, if other calls are read before it is settled; else the current position. */
  end?: number;
  format: CallFormat;
  readonly certainty: Certainty;
  readonly repairs: Repair[];
  name?: string;
  tool?: ToolSchema;
  id?: string;
  args?: JsonValue;
  /** The unknown keys of the call object; they may be arguments. */
  beside?: JsonObject;
  /** Set once the start of the call has been reported. */
  index?: number;
  outcome: "whole" | "cut" | "broken" | "not-a-call";
  /** The arguments of which the call itself says that they are texts. */
  texts?: Set<string>;
  /** True if arguments that the tool does not have are dropped, and a call without a required one is an error. */
  isStrict?: boolean;
  /** True once the draft has become an event, false once it is known to be text. */
  settled?: boolean;
  /** The reader that has reported the arguments so far; `finish` reports the rest of them. */
  shown?: { finish(args: { readonly [key: string]: JsonValue }): void } | undefined;
}

export function newDraft(mark: number, format: CallFormat, certainty: Certainty): CallDraft {
  return { mark, format, certainty, repairs: [], outcome: "whole" };
}

/** Returns a draft for a call whose tool is known. */
export function draftOf(tool: ToolSchema, mark: number, format: CallFormat, certainty: Certainty): CallDraft {
  return { ...newDraft(mark, format, certainty), name: tool.name, tool };
}

/** Sets the name of the draft, and its tool if the name means a tool on offer. */
export function nameDraft(scan: Scan, draft: CallDraft, name: string): void {
  draft.name = name;
  const resolved = scan.tools.resolve(name);
  if (!resolved) return;
  draft.tool = resolved.tool;
  for (const repair of resolved.repairs) noteRepair(draft.repairs, repair);
}

/** Reports the start of the call once. Does nothing while the tool is unknown. */
export function startDraft(scan: Scan, draft: CallDraft): void {
  if (draft.index !== undefined || !draft.tool) return;
  draft.index = scan.out.nextIndex;
  scan.out.nextIndex += 1;
  scan.out.add({
    type: "tool-call-start",
    index: draft.index,
    name: draft.tool.name,
    format: draft.format,
  });
}

/** Reports all text that is read from here on as argument text, if the call has started. */
export function streamArguments(scan: Scan, draft: CallDraft): void {
  const { index } = draft;
  if (index === undefined) return;
  scan.input.tap((argumentsText) => scan.out.add({ type: "tool-call-delta", index, argumentsText }));
}

/** Reads JSON as the arguments of the draft, or sets its outcome. Reports the start and the text if the tool is known. */
export function* readJsonArguments(scan: Scan, draft: CallDraft): Reader<void> {
  startDraft(scan, draft);
  streamArguments(scan, draft);
  const reading = jsonReading(true, draft.repairs);
  const value = yield* readJson(scan.input, reading);
  scan.input.untap();
  if (reading.outcome === "whole") draft.args = value;
  else draft.outcome = reading.outcome;
}

/**
 * Ends a draft: it becomes a call or an error (returns true), or it is text (returns false). The raw text of an error begins at
 * `draft.mark`. A second call returns the same and reports nothing.
 */
export function settleDraft(scan: Scan, draft: CallDraft): boolean {
  draft.settled ??= settleOnce(scan, draft);
  return draft.settled;
}

function settleOnce(scan: Scan, draft: CallDraft): boolean {
  scan.input.untap();
  const problem = findProblem(scan, draft);
  if (problem === "none") return reportCall(scan, draft);
  if (problem === "text") return false;
  const { reason, message } = problem;
  const raw = scan.input.rawFrom(draft.mark, draft.end);
  const name = draft.tool?.name ?? draft.name;
  scan.out.add({
    type: "tool-call-error",
    raw,
    reason,
    message,
    format: draft.format,
    ...(name === undefined ? {} : { name }),
  });
  scan.out.forgetText();
  return true;
}

type Problem = { reason: ToolCallErrorReason; message: string } | "none" | "text";

function findProblem(scan: Scan, draft: CallDraft): Problem {
  const { tool, name, certainty } = draft;
  const plain = certainty === "plain" && draft.index === undefined;
  const argumentsWhole = draft.args !== undefined;
  if (draft.outcome === "not-a-call") return "text";
  if (draft.outcome === "broken") {
    const isNothing = scan.input.offset === draft.mark;
    if (plain || isNothing || (name === undefined && isMentioned(scan, draft))) return "text";
    if (name === undefined) {
      return problem("unreadable", `The call cannot be read, and names no tool. ${onOffer(scan)}`);
    }
    if (!tool) return unknownTool(scan, name);
    return problem("unreadable", `The arguments of ${name} cannot be read as an object.`);
  }
  if (draft.outcome === "cut" && !(argumentsWhole && tool)) {
    if (certainty === "plain" && !tool) return "text";
    return problem("incomplete", `The text ended inside the call${name === undefined ? "" : ` of ${name}`}.`);
  }
  if (name === undefined) return plain || draft.args === undefined ? "text" : unknownTool(scan, "");
  const meant = tool ?? (certainty === "framed" ? nearestTool(scan, draft, name) : undefined);
  if (!meant) {
    if (plain) return "text";
    return unknownTool(scan, name);
  }
  if (draft.outcome === "cut") noteRepair(draft.repairs, "missing-closer");
  const found = checkArguments(scan, draft, meant, plain);
  if (found !== "none" || draft.outcome !== "cut" || !scan.input.cut) return found;
  return problem("cut", `The reply was cut off before the call of ${meant.name} had ended.`);
}

/** Returns true if words precede the call on its line, as they may be about its tag; false for a special token (`<|`). */
function isMentioned({ input, out }: Scan, { mark }: CallDraft): boolean {
  return !/^<[|｜]/.test(input.rawFrom(mark)) && /\S[^\n]*$/.test(out.recentText());
}

function nearestTool(scan: Scan, draft: CallDraft, name: string): ToolSchema | undefined {
  const args = isObject(draft.args) ? (draft.args as JsonObject) : {};
  const tool = innerTool(draft.args, scan.tools) ?? nearTool(name, args, scan.tools.tools);
  if (tool) {
    draft.tool = tool;
    noteRepair(draft.repairs, "near-name");
  }
  return tool;
}

function problem(reason: ToolCallErrorReason, message: string): Problem {
  return { reason, message };
}

function unknownTool(scan: Scan, name: string): Problem {
  const reason = name === "" ? "The call names no tool." : `There is no tool called ${JSON.stringify(name)}.`;
  return problem("unknown-tool", `${reason} ${onOffer(scan)}`);
}

function onOffer(scan: Scan): string {
  const names = scan.tools.tools.map((tool) => tool.name);
  if (names.length === 0) return "No tools are on offer.";
  return `The tools on offer: ${names.slice(0, 30).join(", ")}${names.length > 30 ? ", ..." : ""}.`;
}

function kindOf(value: JsonValue): string {
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

function checkArguments(scan: Scan, draft: CallDraft, tool: ToolSchema, plain: boolean): Problem {
  if (draft.beside) {
    const schema = parametersSchema(tool.parameters);
    const keys = Object.keys(draft.beside);
    if (draft.args !== undefined) noteRepair(draft.repairs, "dropped-key");
    else if (keys.every((key) => propertySchema(schema, key) !== undefined)) {
      noteRepair(draft.repairs, "argument-key");
      draft.args = draft.beside;
    } else {
      return problem(
        "invalid-arguments",
        `The arguments of ${tool.name} must stand under the key "arguments"; the keys ${keys.join(", ")} came beside the name.`,
      );
    }
  }
  if (draft.args === undefined) {
    if (plain) return "text";
    const needed = missingArguments(tool);
    if (needed) return needed;
    noteRepair(draft.repairs, "missing-arguments");
    draft.args = {};
  }
  const given = asArguments(draft.args, draft.repairs) ?? onlyArgument(draft, tool, plain);
  if (plain && given && looksLikeDefinition(given, tool)) return "text";
  const object = given && unwrapArguments(given, tool, scan.tools, draft.repairs);
  if (object === undefined) {
    if (plain) return "text";
    return problem(
      "invalid-arguments",
      `The arguments of ${tool.name} must be an object; ${kindOf(draft.args)} came.`,
    );
  }
  if (isBrokenCall(object, tool)) {
    return problem(
      "invalid-arguments",
      `The arguments of ${tool.name} contain a whole call that cannot be read.`,
    );
  }
  const key = prototypeKey(object, tool);
  if (key !== undefined) {
    return problem("invalid-arguments", `The arguments of ${tool.name} must not have the key "${key}".`);
  }
  const taken = draft.isStrict ? declaredOnly(object, draft, tool) : object;
  if (taken === undefined) return missingArguments(tool) ?? "text";
  draft.args = taken;
  return "none";
}

function missingArguments(tool: ToolSchema): Problem | undefined {
  const required = requiredNames(parametersSchema(tool.parameters));
  if (required.length === 0) return undefined;
  return problem("invalid-arguments", `${tool.name} needs arguments: ${required.join(", ")}.`);
}

/** Returns the object of arguments, also from a string or a list of one object; `{}` for `null`, `[]` and `""`; else undefined. */
function asArguments(args: JsonValue, repairs: Repair[]): JsonObject | undefined {
  let value: JsonValue | undefined = args;
  for (let layers = 0; typeof value === "string" && layers < 3; layers += 1) {
    noteRepair(repairs, "stringified-arguments");
    const bare: string = bareArguments(value);
    value = bare === "" ? {} : parseJson(bare, jsonReading(true, repairs));
  }
  if (value === null || (Array.isArray(value) && value.length === 0)) {
    noteRepair(repairs, "missing-arguments");
    return {};
  }
  const only = Array.isArray(value) && value.length === 1 ? value[0] : undefined;
  if (isObject(only)) {
    noteRepair(repairs, "extra-closer");
    value = only as JsonValue;
  }
  return isObject(value) ? (value as JsonObject) : undefined;
}

/** Returns a text that replaces the arguments as the one argument that the tool requires; else undefined. */
function onlyArgument(
  { args, repairs }: CallDraft,
  tool: ToolSchema,
  plain: boolean,
): JsonObject | undefined {
  if (plain || typeof args !== "string") return undefined;
  const only = plainArguments(args.trim(), parametersSchema(tool.parameters));
  if (only) noteRepair(repairs, "argument-key");
  return only;
}

/** Returns true for a JSON Schema (`"type": "object"`), which defines a tool, if the tool has no argument `type`. */
function looksLikeDefinition(args: { readonly [key: string]: JsonValue }, tool: ToolSchema): boolean {
  if (args["type"] !== "object" || !isObject(args["properties"] ?? {})) return false;
  return propertySchema(parametersSchema(tool.parameters), "type") === undefined;
}

/** Returns a dangerous key: `__proto__` at any depth, or `constructor` or `prototype` as an argument that the tool lacks. */
function prototypeKey(args: { readonly [key: string]: JsonValue }, tool: ToolSchema): string | undefined {
  if (holdsPrototypeKey(args)) return "__proto__";
  const schema = parametersSchema(tool.parameters);
  return ["constructor", "prototype"].find(
    (key) => Object.hasOwn(args, key) && propertySchema(schema, key) === undefined,
  );
}

function holdsPrototypeKey(value: JsonValue | { readonly [key: string]: JsonValue }): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsPrototypeKey);
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(holdsPrototypeKey);
}

function reportCall(scan: Scan, draft: CallDraft): boolean {
  const { tool } = draft;
  if (!tool) return false;
  const late = draft.index === undefined;
  startDraft(scan, draft);
  const index = draft.index ?? 0;
  const found = new Set<Repair>();
  const args = coerceArguments(draft.args ?? {}, parametersSchema(tool.parameters), found, draft.texts);
  for (const repair of found) noteRepair(draft.repairs, repair);
  const final = isObject(args) ? (args as JsonObject) : {};
  if (late) scan.out.add({ type: "tool-call-delta", index, argumentsText: JSON.stringify(final) });
  else draft.shown?.finish(final);
  scan.out.add({
    type: "tool-call-end",
    index,
    ...(draft.id === undefined ? {} : { id: draft.id }),
    name: tool.name,
    arguments: final,
    format: draft.format,
    repairs: draft.repairs,
  });
  scan.out.forgetText();
  return true;
}
