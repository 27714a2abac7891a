/** Lists what each test template drops, in whatever shape it is sent. */
import type { ownTemplates } from "../fake-server/index.ts";
import type { MarkKind } from "./marks.ts";

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
  // The template reads reasoning from parts of a content, which the older server does not create.
  { template: "turns-but-tools", kind: "thought" },
  // The template writes only one of the two beside a call.
  { template: "text-or-thought", kind: "text", history: "thought, text and call" },
  { template: "text-or-thought", kind: "thought", history: "thought, text and call" },
];

export function dropsOf(template: Name, history: string): readonly MarkKind[] {
  return drops
    .filter((row) => row.template === template && (row.history === undefined || row.history === history))
    .map(({ kind }) => kind);
}
