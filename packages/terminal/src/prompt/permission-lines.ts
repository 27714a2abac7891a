/** Builds the text of a permission question: everything that would run, with hidden characters escaped. */
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { isCutDiff, type JsonObject, type JsonValue, type PermissionRequest } from "@localharness/protocol";
import { drawDiff } from "../diff/draw-diff.ts";
import { judgedDiff } from "../diff/judged-diff.ts";
import { judgedLine, judgedText } from "../plain-text.ts";
import type { Theme } from "../theme/theme.ts";

/** Returns title, arguments, warnings, facts and diff in full, wrapped at `width` columns. */
export function permissionLines(request: PermissionRequest, width: number, theme: Theme): readonly string[] {
  const risk = theme.style(request.risk === "high" ? "error" : "warning", `${request.risk} risk`);
  const wrap = (text: string, room = width) =>
    text.split("\n").flatMap((line) => (line === "" ? [""] : wrapTextWithAnsi(line, Math.max(8, room))));
  const warn = (text: string) => wrap(theme.style("warning", `Careful: ${text}`));
  const { concerns, preview } = request;
  return [
    `${theme.style("title", "Permission Request:")} ${theme.style("tool-name", judgedLine(request.toolName))}, ${risk}`,
    ...argumentLines(request.arguments, preview).flatMap((argument) =>
      wrap(argument, width - 2).map((line) => `  ${line}`),
    ),
    ...concerns.flatMap(({ reason }) => warn(judgedLine(reason))),
    ...(request.risk === "high" && concerns.length === 0 ? warn(highWarning(request)) : []),
    ...factLines(request).flatMap((fact) => wrap(theme.style("dim", fact))),
    ...(preview === undefined ? [] : ["", ...drawDiff(judgedDiff(preview), width, theme)]),
  ];
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
  if (request.covers !== "") facts.push(`Answers 2 and 3 cover ${judgedLine(request.covers)}`);
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
