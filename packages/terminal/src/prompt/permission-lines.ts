/** Builds the text of a permission question. It shows everything that would run, with hidden characters escaped. */
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import {
  answersOf,
  argumentLines,
  judgedDiff,
  type PermissionRequest,
  questionFacts,
  questionWarnings,
  scopeText,
  touchedText,
} from "@localharness/protocol";
import { drawDiff } from "../diff/draw-diff.ts";
import { judgedLine } from "../plain-text.ts";
import type { Theme } from "../theme/theme.ts";

/** The parts of a question, wrapped. `call` and `diff` say what would be done. The others can stay beside the answers. */
export interface QuestionParts {
  /** The title and the arguments. */
  readonly call: readonly string[];
  /**
   * Returns risk, number of warnings, sandbox, touched files and the scope of the answers in at most `rows` lines. Used
   * in a window that cannot show all facts beside the answers.
   */
  summary(rows: number): readonly string[];
  readonly warnings: readonly string[];
  /** The other lines, such as the rule that asks, the touched files, the sandbox, and the scope of the answers. */
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
  const warnings = questionWarnings(request);
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
    facts: questionFacts(request).flatMap((fact) => wrap(theme.style("dim", fact))),
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
  const touched = touchedText(request);
  const touches = touched === "" ? [] : [`touches ${touched}`];
  const covers = request.covers === "" ? [] : [scopeText(request)];
  const which = covers.length === 0 ? [] : [`what ${answersOf(request)}`];
  const forms = [
    [...facts, ...touches, ...covers],
    [...facts, ...touches, ...which.map((what) => `PgDn: ${what}`)],
    [...facts, `PgDn: ${[...touches.map(() => "files"), ...which].join(", and ")}`],
    [...facts, "PgDn: more"],
  ].map((parts) => draw(parts.join(" · ")));
  return forms.find((lines) => lines.length <= rows) ?? forms.at(-1)?.slice(0, rows) ?? [];
}

function summaryOf({ risk, sandbox, toolName }: PermissionRequest, warnings: number): readonly string[] {
  return [
    `${risk} risk`,
    ...(warnings === 0 ? [] : [`${warnings} warning${warnings === 1 ? "" : "s"}`]),
    ...(toolName !== "bash" ? [] : [sandbox === undefined ? "no sandbox" : "in a sandbox"]),
  ];
}
