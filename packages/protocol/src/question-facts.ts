/** Says in words what a permission question is about. Everything that would run is shown, with hidden characters as escapes. */
import { isCutDiff } from "./cut-diff.ts";
import type { PermissionRequest } from "./event.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import { judgedLine, judgedText } from "./plain-text.ts";

/**
 * Returns true for the name of the default rule, which decides by mode and risk alone. Of all rules that ask, it is the only
 * one that a rule with the decision `allow` overrides.
 */
export function isDefaultRule(rule: string): boolean {
  return rule.startsWith("risk:");
}

/**
 * Returns the reasons of the concerns. Without a concern, returns a warning if the risk is high, unless the whole change is
 * shown: undo reverses such a change.
 */
export function questionWarnings(request: PermissionRequest): readonly string[] {
  if (request.concerns.length > 0) return request.concerns.map(({ reason }) => judgedLine(reason));
  return request.risk === "high" && !showsWholeChange(request) ? [highWarning(request)] : [];
}

function showsWholeChange({ preview }: PermissionRequest): boolean {
  return preview !== undefined && !isCutDiff(preview);
}

/**
 * Returns the default rule's reason. The reason of any other rule may not be a warning, so a fixed text replaces it.
 */
function highWarning({ rule, reason }: PermissionRequest): string {
  const usual = "it can change or run things; look at the arguments before you allow it";
  return isDefaultRule(rule) && reason !== "" ? judgedLine(reason) : usual;
}

/** Returns why the call asks: its risk, or the rule. Adds the reason, unless a warning says it (`isSaid`). */
function askedBy({ rule, reason }: PermissionRequest, isSaid: boolean): string {
  const why = isSaid || reason === "" ? "" : judgedLine(reason);
  if (isDefaultRule(rule)) return why === "" ? "Asked because of its risk" : `Asked because ${why}`;
  return `Asked by rule ${judgedLine(rule)}${why === "" ? "" : `, ${why}`}`;
}

/** Returns the beginning of the phrase that tells the scope, such as "2 and 3 cover". */
export function answersOf({ answers }: PermissionRequest): string {
  return answers?.includes("session") === false ? "an answer covers" : "2 and 3 cover";
}

/** Returns the scope of the answers that hold for more than this call, as a phrase: "2 and 3 cover ...". */
export function scopeText(request: PermissionRequest): string {
  return `${answersOf(request)} ${judgedLine(request.covers)}`;
}

/**
 * Returns the paths that the call touches, each after `read` or `write`, on one line. Leaves out the workspace folder itself
 * (`.`). Returns an empty text if no path is known.
 */
export function touchedText({ paths = [] }: PermissionRequest): string {
  const touched = paths.filter(({ path }) => path !== ".");
  return touched.map(({ path, access }) => `${access} ${judgedLine(path)}`).join(", ");
}

/**
 * Returns sentences about the call: which agent made it, how it was found, why it asks, what it touches, where it runs, what
 * the answers cover, how many calls wait.
 */
export function questionFacts(request: PermissionRequest): readonly string[] {
  const isSaid = questionWarnings(request).includes(judgedLine(request.reason));
  const agent = request.agent === undefined ? [] : [`Requested by the agent ${judgedLine(request.agent)}`];
  const facts = [...agent, ...foundLine(request), askedBy(request, isSaid)];
  if (showsWholeChange(request)) facts.push("/undo reverses this change");
  const touched = touchedText(request);
  if (touched !== "") facts.push(`Touches ${touched}`);
  if (request.sandbox !== undefined && request.toolName === "bash") {
    facts.push(`Runs in ${judgedLine(request.sandbox)}`);
  }
  if (request.covers !== "") {
    const answers =
      request.answers?.includes("session") === false ? "An answer covers" : "Answers 2 and 3 cover";
    facts.push(`${answers} ${judgedLine(request.covers)}`);
  }
  if (request.waiting !== undefined && request.waiting > 0) {
    facts.push(`${request.waiting} more call${request.waiting === 1 ? " waits" : "s wait"} after this one`);
  }
  return facts;
}

/**
 * Returns a line that says how the call was found; none if no model made it. The model surely made a native call, but a
 * call read from text may only have been quoted.
 */
function foundLine({ format }: PermissionRequest): readonly string[] {
  if (format === undefined) return [];
  return [format === "native" ? "A native call" : `Read from the model's text, format ${judgedLine(format)}`];
}

/**
 * Returns the arguments, one line each; a text of several lines keeps its lines. If the diff is complete, a text of
 * several lines is replaced by its length, and any other text but `path` is left out if a changed line contains it.
 */
export function argumentLines(args: JsonObject, diff: string | undefined): readonly string[] {
  const saidBelow = diff !== undefined && !isCutDiff(diff);
  const changed = saidBelow ? diff.split("\n").filter((line) => /^[+-](?!\+\+ |-- )/.test(line)) : [];
  return Object.entries(args).flatMap(([key, value]) => {
    if (typeof value !== "string" || !value.includes("\n")) {
      const isShown = typeof value === "string" && value !== "" && key !== "path";
      if (isShown && changed.some((line) => line.includes(value))) return [];
      return [`${judgedLine(key)}: ${valueText(value)}`];
    }
    if (saidBelow) return [`${judgedLine(key)}: ${value.length} characters, in the diff below`];
    return [
      `${judgedLine(key)}:`,
      ...judgedText(value)
        .split("\n")
        .map((line) => `  ${line}`),
    ];
  });
}

function valueText(value: JsonValue): string {
  return judgedLine(typeof value === "string" ? value : JSON.stringify(value));
}
