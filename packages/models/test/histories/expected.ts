/** What the templates of the tests drop whatever is sent, and the histories that the adapters do not bring through yet. */
import type { ownTemplates } from "../fake-server/index.ts";
import type { MarkKind } from "./marks.ts";
import { pendingRows } from "./pending.ts";

type Name = keyof typeof ownTemplates;

interface Drop {
  readonly template: Name;
  readonly kind: MarkKind;
  /** In every history when absent. */
  readonly history?: string;
}

const withoutThoughts: readonly Name[] = [
  "nine-characters",
  "takes-turns",
  "three-roles",
  "single-calls",
  "says-none",
  "first-part",
  "null-beside-calls",
  "parts-only",
  "drops-system",
];

const drops: readonly Drop[] = [
  ...withoutThoughts.map((template) => ({ template, kind: "thought" as const })),
  { template: "single-calls", kind: "text" },
  // One of the two can stand beside a call.
  { template: "text-or-thought", kind: "text", history: "thought, text and call" },
  { template: "text-or-thought", kind: "thought", history: "thought, text and call" },
];

export function dropsOf(template: Name, history: string): readonly MarkKind[] {
  return drops
    .filter((row) => row.template === template && (row.history === undefined || row.history === history))
    .map(({ kind }) => kind);
}

export function isPending(template: Name, route: string, history: string): boolean {
  return pendingRows.some(
    (row) => row.template === template && row.route === route && row.histories.includes(history),
  );
}
