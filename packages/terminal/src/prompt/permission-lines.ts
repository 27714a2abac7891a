/** Builds the text of a permission question. It shows everything that would run, with hidden characters escaped. */
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { isCutDiff, type JsonObject, type JsonValue, type PermissionRequest } from "@localharness/protocol";
import { drawDiff } from "../diff/draw-diff.ts";
import { judgedDiff } from "../diff/judged-diff.ts";
import { judgedLine, judgedText } from "../plain-text.ts";
import type { Theme } from "../theme/theme.ts";

/**
 * The parts of a question, wrapped. `call` says what would run. The other parts can stay visible beside the answers.
 */
export interface QuestionParts {
  /** The title and the arguments. */
  readonly call: readonly string[];
  /**
   * Returns risk, number of warnings, sandbox, touched files and the scope of the answers in at most `rows` lines. Used
   * in a window that cannot show all facts beside the answers.
   */
  summary(rows: number): readonly string[];
  readonly warnings: readonly string[];
  /** The lines about the rule that asks, the touched files, the sandbox, and the scope of the answers. */
  readonly facts: readonly string[];
  /** The lines of the diff; empty if there is no diff. */
  readonly diff: readonly string[];
}

export function questionParts(request: PermissionRequest, width: number, theme: Theme): QuestionParts {
  const risk = theme.style(request.risk === "high" ? "error" : "warning", `${request.risk} risk`);
  const wrap = (text: string, room = width) =>
    text.split("\n").flatMap((line) => (line === "" ? [""] : wrapTextWithAnsi(line, Math.max(8, room))));
  const warn = (text: string) => wrap(theme.style("warning", `Careful: ${text}`));
  const { preview } = request;
  const warnings = warningsOf(request);
  const title = `${theme.style("title", "Permission Request:")} ${theme.style("tool-name", judgedLine(request.toolName))}, ${risk}`;
  return {
    call: [
      title,
      ...argumentLines(request.arguments, preview).flatMap((argument) =>
        wrap(argument, width - 2).map((line) => `  ${line}`),
      ),
    ],
    summary: (rows) =>
      summaryLines(request, warnings.length, rows, (text) => wrap(theme.style("warning", text))),
    warnings: warnings.flatMap(warn),
    facts: factLines(request).flatMap((fact) => wrap(theme.style("dim", fact))),
    diff: preview === undefined ? [] : drawDiff(judgedDiff(preview), width, theme),
  };
}

/** Returns all lines of the question, for a window that scrolls through them. */
export function permissionLines(request: PermissionRequest, width: number, theme: Theme): WholeQuestion {
  const { call, warnings, diff, facts } = questionParts(request, width, theme);
  const acts = [...call, ...warnings, ...diff];
  return { lines: [...acts, ...facts], needed: acts.length };
}

export interface WholeQuestion {
  readonly lines: readonly string[];
  /** The number of lines at the beginning that say what would be done. */
  readonly needed: number;
}

/** Returns the warnings. An edit whose whole change is shown needs none, because undo reverses it. */
function warningsOf(request: PermissionRequest): readonly string[] {
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
  return rule.startsWith("risk:") && reason !== "" ? judgedLine(reason) : usual;
}

/** Returns the reason for the question: the risk of the tool, or the rule with its number or file. */
function askedBy({ rule, reason }: PermissionRequest, isSaid: boolean): string {
  const why = isSaid || reason === "" ? "" : judgedLine(reason);
  if (rule.startsWith("risk:")) return why === "" ? "Asked because of its risk" : `Asked because ${why}`;
  return `Asked by rule ${judgedLine(rule)}${why === "" ? "" : `, ${why}`}`;
}

/**
 * Returns the longest form of the summary that fits into `rows` lines. In place of a fact that does not fit, the
 * summary names the key that shows it.
 */
function summaryLines(
  request: PermissionRequest,
  warnings: number,
  rows: number,
  draw: (text: string) => readonly string[],
): readonly string[] {
  const facts = summaryOf(request, warnings);
  const touched = touchedOf(request);
  const touches = touched === "" ? [] : [`touches ${touched}`];
  const covers = request.covers === "" ? [] : [scopeOf(request)];
  const which = covers.length === 0 ? [] : [`what ${answersOf(request)}`];
  const forms = [
    [...facts, ...touches, ...covers],
    [...facts, ...touches, ...which.map((what) => `PgDn: ${what}`)],
    [...facts, `PgDn: ${[...touches.map(() => "files"), ...which].join(", and ")}`],
    [...facts, "PgDn: more"],
  ].map((parts) => draw(parts.join(" · ")));
  return forms.find((lines) => lines.length <= rows) ?? forms.at(-1)?.slice(0, rows) ?? [];
}

/** Returns the beginning of the phrase that tells the scope, such as "2 and 3 cover". */
function answersOf({ answers }: PermissionRequest): string {
  return answers?.includes("session") === false ? "an answer covers" : "2 and 3 cover";
}

function scopeOf(request: PermissionRequest): string {
  return `${answersOf(request)} ${judgedLine(request.covers)}`;
}

function summaryOf({ risk, sandbox, toolName }: PermissionRequest, warnings: number): readonly string[] {
  return [
    `${risk} risk`,
    ...(warnings === 0 ? [] : [`${warnings} warning${warnings === 1 ? "" : "s"}`]),
    ...(toolName !== "bash" ? [] : [sandbox === undefined ? "no sandbox" : "in a sandbox"]),
  ];
}

function touchedOf({ paths = [] }: PermissionRequest): string {
  const touched = paths.filter(({ path }) => path !== ".");
  return touched.map(({ path, access }) => `${access} ${judgedLine(path)}`).join(", ");
}

function factLines(request: PermissionRequest): readonly string[] {
  const isSaid = warningsOf(request).includes(judgedLine(request.reason));
  const agent = request.agent === undefined ? [] : [`Requested by the agent ${judgedLine(request.agent)}`];
  const facts = [...agent, ...foundLine(request), askedBy(request, isSaid)];
  if (showsWholeChange(request)) facts.push("/undo reverses this change");
  const touched = touchedOf(request);
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
 * Returns a line that says how the call was found. The model surely made a native call, but a call read from text may
 * only have been quoted.
 */
function foundLine({ format }: PermissionRequest): readonly string[] {
  if (format === undefined) return [];
  return [format === "native" ? "A native call" : `Read from the model's text, format ${judgedLine(format)}`];
}

/**
 * Returns the arguments, one line each; a text of several lines keeps its lines. If the diff is complete, a text of
 * several lines is replaced by its length, and a line that the diff adds or removes is left out.
 */
function argumentLines(args: JsonObject, diff: string | undefined): readonly string[] {
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
