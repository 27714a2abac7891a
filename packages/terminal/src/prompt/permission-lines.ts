/** Builds the text of a permission question. It shows everything that would run, with hidden characters escaped. */

import {
  answersOf,
  argumentLines,
  countText,
  gradeText,
  judgedDiff,
  offerDetails,
  type PermissionRequest,
  placeText,
  questionFacts,
  questionWarnings,
  scopeText,
  shortFacts,
  touchedText,
} from "@localharness/protocol";
import { drawDiff } from "../diff/draw-diff.ts";
import { judgedLine } from "../plain-text.ts";
import { fitLine } from "../screen/fit-line.ts";
import type { Theme } from "../theme/theme.ts";
import { wrapWords } from "../transcript/wrap-words.ts";

/** The parts of a question, wrapped. `call` and `diff` say what would be done. The others can stay beside the answers. */
export interface QuestionParts {
  /** The title and the arguments. */
  readonly call: readonly string[];
  /**
   * Returns grade, number of warnings, sandbox, touched files and the scope of the answers in at most `rows` lines. Used
   * in a window that cannot show all facts beside the answers.
   */
  summary(rows: number): readonly string[];
  /** The warnings, and what further choices would do. */
  readonly warnings: readonly string[];
  /** What the person must know beside the call, in one line that names the key for all facts. */
  readonly line: string;
  /** All facts, such as the rule that asks, the touched files, the sandbox, and the scope of the answers. */
  readonly facts: readonly string[];
  /** The lines of the diff; empty if there is no diff. */
  readonly diff: readonly string[];
}

export function questionParts(request: PermissionRequest, width: number, theme: Theme): QuestionParts {
  const { text, isHigh } = gradeText(request);
  const grade = theme.style(isHigh ? "error" : "warning", text);
  const wrap = (text: string, room = width) =>
    text.split("\n").flatMap((line) => (line === "" ? [""] : wrapWords(line, Math.max(8, room))));
  const warn = (text: string) => wrap(theme.style("warning", `Careful: ${text}`));
  const { preview, previewMasked } = request;
  const warnings = questionWarnings(request);
  const details = offerDetails(request).flatMap((detail) => wrap(theme.style("dim", detail)));
  const title = `${theme.style("title", "Permission Request:")} ${theme.style("tool-name", judgedLine(request.toolName))}, ${grade}`;
  return {
    call: [
      ...wrap(title),
      ...argumentLines(request.arguments, preview, previewMasked).flatMap((argument) =>
        wrap(argument, width - 2).map((line) => `  ${line}`),
      ),
    ],
    summary: (rows) =>
      summaryLines(request, warnings.length, rows, (text) => wrap(theme.style("warning", text))),
    warnings: [...warnings.flatMap(warn), ...details],
    line: theme.style("dim", factLine(request, width)),
    facts: questionFacts(request).flatMap((fact) => wrap(theme.style("dim", fact))),
    diff: preview === undefined ? [] : drawDiff(judgedDiff(withoutNames(preview)), width, theme),
  };
}

/**
 * Returns the diff without the two lines at its beginning that name its file, which the arguments name, unless it has several
 * files. A changed line may look like such a line.
 */
function withoutNames(diff: string): string {
  const names = /^--- .*\n\+\+\+ .*\n(?=@@ )/;
  return diff.match(new RegExp(names, "gm"))?.length === 1 ? diff.replace(names, "") : diff;
}

const moreKey = "Tab: more";

function factLine(request: PermissionRequest, width: number): string {
  const facts = shortFacts(request).join(" · ");
  return facts === "" ? moreKey : `${fitLine(facts, Math.max(1, width - moreKey.length - 3))} · ${moreKey}`;
}

/**
 * Returns the lines of the question. With `more` it has all facts, for a low window and for a person who asks for them, else
 * one line of facts.
 */
export function permissionLines(
  request: PermissionRequest,
  width: number,
  theme: Theme,
  more = true,
): WholeQuestion {
  const { call, warnings, diff, facts, line } = questionParts(request, width, theme);
  const acts = [...call, ...diff, ...warnings];
  return { lines: [...acts, ...(more ? facts : [line])], needed: acts.length };
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
  const scope = scopeText(request);
  const covers = scope === "" ? [] : [scope];
  const which = covers.length === 0 ? [] : [`what ${answersOf(request)}`];
  const forms = [
    [...facts, ...touches, ...covers],
    [...facts, ...touches, ...which.map((what) => `PgDn: ${what}`)],
    [...facts, `PgDn: ${[...touches.map(() => "files"), ...which].join(", and ")}`],
    [...facts, "PgDn: more"],
  ].map((parts) => draw(parts.join(" · ")));
  return forms.find((lines) => lines.length <= rows) ?? forms.at(-1)?.slice(0, rows) ?? [];
}

function summaryOf(request: PermissionRequest, warnings: number): readonly string[] {
  return [
    gradeText(request).text,
    ...(warnings === 0 ? [] : [countText(warnings, "warning")]),
    ...(request.toolName === "bash" ? [placeText(request.sandbox)] : []),
  ];
}
