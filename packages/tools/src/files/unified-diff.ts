/** The difference of two texts as a unified diff: what people are shown before a file is changed. */
import { cutDiffLine } from "@localharness/protocol";
import { splitLines } from "./lines.ts";

/** One step of an edit script; `line` keeps its line end. */
interface Step {
  readonly kind: " " | "-" | "+";
  readonly line: string;
}

const context = 3;
/** Beyond so many differing lines the middle is shown as replaced whole. */
const mostEdits = 600;

/** Empty when the texts are equal. At most `maxLines` lines, with a last line that says how many are left out. */
export function unifiedDiff(path: string, before: string, after: string, maxLines = 400): string {
  if (before === after) {
    return "";
  }
  const steps = diffLines(splitLines(before), splitLines(after));
  const lines = [
    before === "" ? "--- /dev/null" : `--- a/${path}`,
    after === "" ? "+++ /dev/null" : `+++ b/${path}`,
    ...hunksOf(steps).flat(),
  ];
  if (lines.length <= maxLines) {
    return `${lines.join("\n")}\n`;
  }
  return `${lines.slice(0, maxLines).join("\n")}\n${cutDiffLine(lines.length - maxLines)}`;
}

function diffLines(before: readonly string[], after: readonly string[]): readonly Step[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) {
    start += 1;
  }
  let endBefore = before.length;
  let endAfter = after.length;
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1]) {
    endBefore -= 1;
    endAfter -= 1;
  }
  const same = (line: string): Step => ({ kind: " ", line });
  return [
    ...before.slice(0, start).map(same),
    ...middleSteps(before.slice(start, endBefore), after.slice(start, endAfter)),
    ...before.slice(endBefore).map(same),
  ];
}

/** The shortest edit script (Myers), or everything removed and added where that would take too long. */
function middleSteps(before: readonly string[], after: readonly string[]): readonly Step[] {
  const rounds: Int32Array[] = [];
  const most = Math.min(before.length + after.length, mostEdits);
  const offset = most + 1;
  const furthest = new Int32Array(2 * most + 3);
  for (let edits = 0; edits <= most; edits += 1) {
    rounds.push(furthest.slice());
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down =
        diagonal === -edits ||
        (diagonal !== edits && at(furthest, offset + diagonal - 1) < at(furthest, offset + diagonal + 1));
      let x = down ? at(furthest, offset + diagonal + 1) : at(furthest, offset + diagonal - 1) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) {
        x += 1;
      }
      furthest[offset + diagonal] = x;
      if (x >= before.length && x - diagonal >= after.length) {
        return traceBack(before, after, rounds, offset);
      }
    }
  }
  return [
    ...before.map((line): Step => ({ kind: "-", line })),
    ...after.map((line): Step => ({ kind: "+", line })),
  ];
}

function traceBack(
  before: readonly string[],
  after: readonly string[],
  rounds: readonly Int32Array[],
  offset: number,
): readonly Step[] {
  const steps: Step[] = [];
  let x = before.length;
  let y = after.length;
  for (let edits = rounds.length - 1; edits >= 0; edits -= 1) {
    const furthest = rounds[edits] ?? new Int32Array();
    const diagonal = x - y;
    const down =
      diagonal === -edits ||
      (diagonal !== edits && at(furthest, offset + diagonal - 1) < at(furthest, offset + diagonal + 1));
    const previous = down ? diagonal + 1 : diagonal - 1;
    const previousX = edits === 0 ? 0 : at(furthest, offset + previous);
    const previousY = edits === 0 ? 0 : previousX - previous;
    while (x > previousX && y > previousY) {
      x -= 1;
      y -= 1;
      steps.push({ kind: " ", line: before[x] ?? "" });
    }
    if (edits > 0) {
      steps.push(
        down ? { kind: "+", line: after[previousY] ?? "" } : { kind: "-", line: before[previousX] ?? "" },
      );
    }
    x = previousX;
    y = previousY;
  }
  return steps.reverse();
}

function at(array: Int32Array, index: number): number {
  return array[index] ?? 0;
}

function hunksOf(steps: readonly Step[]): readonly (readonly string[])[] {
  const changed = steps.flatMap((step, index) => (step.kind === " " ? [] : [index]));
  const hunks: string[][] = [];
  let oldLine = 1;
  let newLine = 1;
  let position = 0;
  let next = 0;
  while (next < changed.length) {
    const start = Math.max((changed[next] ?? 0) - context, position);
    let last = changed[next] ?? 0;
    while (next < changed.length && (changed[next] ?? 0) - last <= 2 * context) {
      last = changed[next] ?? 0;
      next += 1;
    }
    const end = Math.min(last + context + 1, steps.length);
    oldLine += start - position;
    newLine += start - position;
    const body = steps.slice(start, end);
    const oldCount = body.filter((step) => step.kind !== "+").length;
    const newCount = body.filter((step) => step.kind !== "-").length;
    hunks.push([`@@ -${span(oldLine, oldCount)} +${span(newLine, newCount)} @@`, ...body.flatMap(printed)]);
    oldLine += oldCount;
    newLine += newCount;
    position = end;
  }
  return hunks;
}

function span(line: number, count: number): string {
  return `${count === 0 ? line - 1 : line},${count}`;
}

function printed(step: Step): readonly string[] {
  const ended = step.line.endsWith("\n");
  const text = step.kind + (ended ? step.line.slice(0, -1) : step.line);
  return ended ? [text] : [text, "\\ No newline at end of file"];
}
