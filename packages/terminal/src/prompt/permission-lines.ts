/** Builds the text of a permission question: everything that would run, with hidden characters escaped. */
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { isCutDiff, type JsonObject, type JsonValue, type PermissionRequest } from "@localharness/protocol";
import { drawDiff } from "../diff/draw-diff.ts";
import { judgedDiff } from "../diff/judged-diff.ts";
import { judgedLine, judgedText } from "../plain-text.ts";
import type { Theme } from "../theme/theme.ts";

/** The parts of a question, wrapped. What would run comes first; what helps to judge it can stay beside the answers. */
export interface QuestionParts {
  /** The title and the arguments. */
  readonly call: readonly string[];
  /** Warnings, risk, touched files, and the scope of the answers. */
  readonly judging: readonly string[];
  /** Empty without a diff. */
  readonly diff: readonly string[];
}

export function questionParts(request: PermissionRequest, width: number, theme: Theme): QuestionParts {
  const risk = theme.style(request.risk === "high" ? "error" : "warning", `${request.risk} risk`);
  const wrap = (text: string, room = width) =>
    text.split("\n").flatMap((line) => (line === "" ? [""] : wrapTextWithAnsi(line, Math.max(8, room))));
  const warn = (text: string) => wrap(theme.style("warning", `Careful: ${text}`));
  const { concerns, preview } = request;
  const title = `${theme.style("title", "Permission Request:")} ${theme.style("tool-name", judgedLine(request.toolName))}, ${risk}`;
  return {
    call: [
      title,
      ...argumentLines(request.arguments, preview).flatMap((argument) =>
        wrap(argument, width - 2).map((line) => `  ${line}`),
      ),
    ],
    judging: [
      ...concerns.flatMap(({ reason }) => warn(judgedLine(reason))),
      ...(request.risk === "high" && concerns.length === 0 ? warn(highWarning(request)) : []),
      ...factLines(request).flatMap((fact) => wrap(theme.style("dim", fact))),
    ],
    diff: preview === undefined ? [] : drawDiff(judgedDiff(preview), width, theme),
  };
}

/** Returns the whole question as one text, for a window that shows it in parts. */
export function permissionLines(request: PermissionRequest, width: number, theme: Theme): readonly string[] {
  const { call, judging, diff } = questionParts(request, width, theme);
  return [...call, ...judging, ...(diff.length === 0 ? [] : ["", ...diff])];
}

/** Returns the default rule's reason. The reason of any other rule need not be a warning, so it is replaced by a fixed text. */
function highWarning({ rule, reason }: PermissionRequest): string {
  const usual = "it can change or run things; look at the arguments before you allow it";
  return rule.startsWith("risk:") && reason !== "" ? judgedLine(reason) : usual;
}

function factLines(request: PermissionRequest): readonly string[] {
  const said = request.reason === "" || (request.risk === "high" && request.rule.startsWith("risk:"));
  const reason = said ? "" : `, ${judgedLine(request.reason)}`;
  const agent = request.agent === undefined ? [] : [`Requested by the agent ${judgedLine(request.agent)}`];
  const facts = [...agent, ...foundLine(request), `Asked by rule ${judgedLine(request.rule)}${reason}`];
  const touched = (request.paths ?? []).filter(({ path }) => path !== ".");
  if (touched.length > 0) {
    facts.push(`Touches ${touched.map(({ path, access }) => `${access} ${judgedLine(path)}`).join(", ")}`);
  }
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

/** Returns the origin of the call: a call read from text may only have been quoted, a native call was made by the model. */
function foundLine({ format }: PermissionRequest): readonly string[] {
  if (format === undefined) return [];
  return [format === "native" ? "A native call" : `Read from the model's text, format ${judgedLine(format)}`];
}

/**
 * Returns the arguments, one line each; texts of several lines keep their lines. When the diff is complete, such a text is
 * replaced by its length, because the diff already shows it.
 */
function argumentLines(args: JsonObject, diff: string | undefined): readonly string[] {
  const saidBelow = diff !== undefined && !isCutDiff(diff);
  return Object.entries(args).flatMap(([key, value]) => {
    if (typeof value !== "string" || !value.includes("\n")) {
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
