/** Says in words what a permission question is about. Everything that would run is shown, with hidden characters as escapes. */
import { countText } from "./count-text.ts";
import { isCutDiff } from "./cut-diff.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import { allowingNumber } from "./offered-choices.ts";
import type { PermissionRequest } from "./permission-request.ts";
import type { PermissionGrade } from "./permission-scope.ts";
import { judgedLine, judgedText } from "./plain-text.ts";

/**
 * Returns true for the name of the default rule, which decides by mode and risk alone. Of all rules that ask, it is the only
 * one that a rule with the decision `allow` overrides.
 */
export function isDefaultRule(rule: string): boolean {
  return rule.startsWith("risk:");
}

/** The words for each grade. Every screen shows the same. */
const gradeWords: Readonly<Record<PermissionGrade, string>> = {
  reads: "changes nothing",
  undoable: "can be undone here",
  kept: "kept files can be undone here",
  lasting: "cannot be undone",
  leaves: "leaves this machine",
};

/** What undo does with the changes of a call of each grade. */
const undoFacts: Readonly<Record<PermissionGrade, readonly string[]>> = {
  reads: [],
  undoable: ["/undo reverses this change"],
  kept: [
    "/undo reverses what it changes in files of this workspace that are kept: not in ignored, large or secret files, and nothing elsewhere",
  ],
  lasting: [],
  leaves: [],
};

export interface GradeText {
  readonly text: string;
  /** True for a call of high risk that undo does not reverse. Only such a call has a warning because of its risk. */
  readonly isHigh: boolean;
}

/** Returns the grade in words: `can be undone here`, `HIGH: cannot be undone`. Without a grade, returns the risk. */
export function gradeText({ risk, grade }: PermissionRequest): GradeText {
  const isHigh = risk === "high" && (grade === undefined || grade === "lasting" || grade === "leaves");
  const words = grade === undefined ? `${risk} risk` : gradeWords[grade];
  return { text: isHigh ? `HIGH: ${words}` : words, isHigh };
}

/** Returns the reasons of the concerns. Without a concern, returns a warning if the call is `HIGH`. */
export function questionWarnings(request: PermissionRequest): readonly string[] {
  if (request.concerns.length > 0) return request.concerns.map(({ reason }) => judgedLine(reason));
  return gradeText(request).isHigh ? [highWarning(request)] : [];
}

/**
 * Returns the default rule's reason. The reason of any other rule may not be a warning, so a fixed text replaces it.
 */
function highWarning({ rule, reason }: PermissionRequest): string {
  const usual = "it can change or run things; look at the arguments before you allow it";
  return isDefaultRule(rule) && reason !== "" ? judgedLine(reason) : usual;
}

/** Returns why the call asks: the reason without what a warning says, and the rule unless its reason is a warning. */
function askedBy(request: PermissionRequest): readonly string[] {
  const { rule } = request;
  const reason = judgedLine(request.reason);
  const said = questionWarnings(request).find((warning) => reason.endsWith(warning)) ?? "";
  const why = reason.slice(0, reason.length - said.length).replace(/; $/, "");
  const isWarning = request.concerns.some(({ id }) => rule === `built-in:${id}`);
  if (isDefaultRule(rule) || isWarning) return why === "" ? [] : [why];
  return [`asked by rule ${judgedLine(rule)}${why === "" ? "" : `, ${why}`}`];
}

/** Returns the beginning of the phrase that tells the scope, such as "2 and 3 cover". */
export function answersOf({ answers }: PermissionRequest): string {
  return answers?.includes("session") === false ? "an answer covers" : "2 and 3 cover";
}

/**
 * Returns what the answers cover, in words. Returns an empty text if nothing is known, and if the tool makes offers, because each
 * of them says what it covers.
 */
export function coversText({ covers, offers = [] }: PermissionRequest): string {
  return offers.length > 0 ? "" : judgedLine(covers);
}

/** Returns the scope of the answers that hold for more than this call, as a phrase: "2 and 3 cover ..."; empty if none is known. */
export function scopeText(request: PermissionRequest): string {
  const covers = coversText(request);
  if (covers === "") return "";
  const place = request.answers?.includes("session") === false ? "" : ", in this workspace:";
  return `${answersOf(request)}${place} ${covers}`;
}

/**
 * Returns the paths that the call touches, each after `read` or `write`, on one line. Leaves out the workspace folder itself
 * (`.`). Returns an empty text if no path is known.
 */
export function touchedText({ paths = [] }: PermissionRequest): string {
  const touched = paths.filter(({ path }) => path !== ".");
  return touched.map(({ path, access }) => `${access} ${judgedLine(path)}`).join(", ");
}

/** Returns the paths that the call touches but its arguments do not name, such as the target of a symbolic link. */
export function unnamedPaths({ paths = [], arguments: args }: PermissionRequest): readonly string[] {
  const texts = Object.values(args).filter((value) => typeof value === "string");
  const command = args["command"];
  const isNamed = (path: string) =>
    texts.includes(path) ||
    texts.includes(`./${path}`) ||
    (typeof command === "string" && namesPath(command, path));
  const others = paths.filter(({ path }) => path !== "." && !isNamed(path));
  return others.map(({ path, access }) => `${access} ${judgedLine(path)}`);
}

/** Returns true if the path stands in the command as a whole word, not as a part of another name. */
function namesPath(command: string, path: string): boolean {
  for (let at = command.indexOf(path); at !== -1; at = command.indexOf(path, at + 1)) {
    const end = at + path.length;
    const before = command
      .slice(Math.max(0, at - 3), at)
      .replace(/\.\/$/, "")
      .slice(-1);
    const after = command
      .slice(end, end + 2)
      .replace(/^\//, "")
      .slice(0, 1);
    if (!inName.test(before) && !inName.test(after)) return true;
  }
  return false;
}

/** Matches a character that may be a part of the name of a file. */
const inName = /[^\s'"`;|&<>()={},:]/;

/** The maximum number of paths in the line of facts; `questionFacts` has them all. */
export const maxShortPaths = 3;

/**
 * Returns what the person must know beside the call, for one line: the agent, the reason, the sandbox, paths that the
 * arguments do not name, and the number of calls that wait.
 */
export function shortFacts(request: PermissionRequest): readonly string[] {
  const { agent, sandbox, toolName } = request;
  const paths = unnamedPaths(request);
  const more = paths.length - maxShortPaths;
  const listed = [...paths.slice(0, maxShortPaths), ...(more > 0 ? [`${more} more`] : [])];
  return [
    ...(agent === undefined ? [] : [`for the agent ${judgedLine(agent)}`]),
    ...askedBy(request),
    ...(sandbox === undefined || toolName !== "bash" ? [] : [placeText(sandbox)]),
    ...(listed.length === 0 ? [] : [`touches ${listed.join(", ")}`]),
    ...waitingText(request),
  ];
}

/** Returns where a command runs, in short: `in the sandbox` or `no sandbox`. */
export function placeText(sandbox: string | undefined): string {
  return sandbox?.startsWith("sandbox") === true ? "in the sandbox" : "no sandbox";
}

/** Returns what each further choice of the question would do, but for those whose warning says it. */
export function offerDetails({ offers = [] }: PermissionRequest): readonly string[] {
  return offers
    .filter(({ warns }) => warns !== true)
    .map(({ words, detail }) => `${judgedLine(words)}: ${judgedLine(detail)}`);
}

function waitingText({ waiting = 0 }: PermissionRequest): readonly string[] {
  return waiting === 0 ? [] : [`${waiting} more call${waiting === 1 ? " waits" : "s wait"}`];
}

/**
 * Returns all facts about the call as sentences: which agent made it, how it was found, why it asks, what it touches, where
 * it runs, what the answers cover, how many calls wait.
 */
export function questionFacts(request: PermissionRequest): readonly string[] {
  const { agent, sandbox, toolName, grade } = request;
  const covers = coversText(request);
  const touched = touchedText(request);
  const once = request.answers?.includes("session") === false;
  return [
    ...(agent === undefined ? [] : [`For the agent ${judgedLine(agent)}`]),
    ...foundLine(request),
    `Asked by ${ruleText(request.rule)}${request.reason === "" ? "" : `: ${judgedLine(request.reason)}`}`,
    ...(grade === undefined ? [] : undoFacts[grade]),
    ...(touched === "" ? [] : [`Touches ${touched}`]),
    ...(sandbox === undefined || toolName !== "bash" ? [] : [`Runs in ${judgedLine(sandbox)}`]),
    ...(covers === ""
      ? []
      : [`${once ? "An answer covers" : "Answers 2 and 3 cover, in this workspace:"} ${covers}`]),
    ...choiceFacts(request),
    ...widerFact(request),
    ...waitingText(request),
  ];
}

/** Returns the rule in words. The id of the default rule has a risk, which is not what the title says, so it is left out. */
function ruleText(rule: string): string {
  return isDefaultRule(rule) ? "the default rule" : `rule ${judgedLine(rule)}`;
}

/** Returns each further choice as a whole, with its digit and what it would do. */
function choiceFacts(request: PermissionRequest): readonly string[] {
  const { offers = [] } = request;
  return offers.map(
    ({ words, detail }, index) => `[${allowingNumber(index)}] ${judgedLine(words)}: ${judgedLine(detail)}`,
  );
}

const stillAsks = "redirections, other programs, network still ask";

/** The answers of which a wider form is offered, with the number and the words of that form. */
export const widerAnswers = [
  { answer: "session", number: 5, words: "Session" },
  { answer: "remember", number: 6, words: "Remember" },
] as const;

/** Returns what a wider answer covers, in short, and what still asks: `any npm test ...; ...`; undefined if none is offered. */
export function widerText({ wider }: PermissionRequest): string | undefined {
  return wider === undefined ? undefined : `any ${judgedLine(wider.begins)} ...; ${stillAsks}`;
}

function widerFact({ wider }: PermissionRequest): readonly string[] {
  return wider === undefined ? [] : [`Answers 5 and 6 cover, in this workspace: ${judgedLine(wider.covers)}`];
}

/** Returns a line that says how the call was found if it was read from text, because such a call may only have been quoted. */
function foundLine({ format }: PermissionRequest): readonly string[] {
  if (format === undefined || format === "native") return [];
  return [`Read from the model's text, format ${judgedLine(format)}`];
}

/**
 * Returns the arguments, one line each; a text of several lines keeps its lines. If the diff is complete and hides nothing
 * (`isMasked`), a text of several lines is replaced by its length, and any other text but `path` is left out if a changed line contains it.
 */
export function argumentLines(
  args: JsonObject,
  diff: string | undefined,
  isMasked = false,
): readonly string[] {
  const saidBelow = diff !== undefined && !isMasked && !isCutDiff(diff);
  const changed = saidBelow ? diff.split("\n").filter((line) => /^[+-](?!\+\+ |-- )/.test(line)) : [];
  return Object.entries(args).flatMap(([key, value]) => {
    if (typeof value !== "string" || !value.includes("\n")) {
      const isShown = typeof value === "string" && value !== "" && key !== "path";
      if (isShown && changed.some((line) => line.includes(value))) return [];
      return [`${judgedLine(key)}: ${valueText(value)}`];
    }
    if (saidBelow) return [`${judgedLine(key)}: ${countText(value.length, "character")}, in the diff below`];
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
