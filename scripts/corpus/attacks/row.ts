/**
 * Reads the rows of recorded cases. A row is an attack, or a control that must stay allowed: its setup, its calls and
 * the expected outcome.
 */
import { readFileSync } from "node:fs";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

export interface Approval {
  readonly scope: "remember" | "session";
  readonly tool: string;
  readonly decision: "allow" | "deny";
  /** The exact command that was approved. */
  readonly command?: string;
  /** The first words of the approved commands. */
  readonly prefix?: readonly string[];
  readonly path?: string;
  /** A workspace other than the case's own. */
  readonly workspace?: string;
}

export interface RecordedCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The person's answer to this call. */
  readonly answer?: "allow";
}

/** One step of a server's answer: what it sends, and when. */
export type Step = JsonObject;

export interface Row {
  readonly id: string;
  readonly area: string;
  readonly kind: "attack" | "control" | "note";
  readonly family: string;
  /** A shell script, run in the workspace. */
  readonly setup: string;
  /** A generic name: `shell` for every tool that runs commands. */
  readonly tool: string;
  readonly arguments?: JsonObject;
  /** The arguments as the model wrote them, when they are not valid JSON. */
  readonly raw_arguments?: string;
  /** The requirement in words. It takes precedence over `check`. */
  readonly must: string;
  readonly check: JsonObject;
  readonly policy?: readonly Approval[];
  readonly wire?: JsonValue;
  readonly peer?: string;
  readonly steps?: readonly Step[];
  readonly repeat?: number;
  readonly needs?: JsonValue;
  readonly answer?: JsonObject;
  readonly model_script?: readonly (RecordedCall | { readonly text: string })[];
  readonly signal?: string;
  readonly concurrent?: string;
  readonly parallel_with?: readonly RecordedCall[];
  readonly kill?: string;
  readonly fault?: string;
  readonly cwd?: string;
  readonly clients?: JsonValue;
  readonly platform?: string;
  readonly after_start?: string;
  /** A shell script that runs while the question is open; the person then allows the call. */
  readonly between_ask_and_allow?: string;
  /** A call that is made first. */
  readonly before?: RecordedCall;
  /** A shell script that runs between the call of `before` and the row's own. */
  readonly after_read?: string;
  /** A call after the row's own, with its own checks. */
  readonly followup?: RecordedCall & { readonly check: JsonObject };
  /** `headless`: nobody can be asked. */
  readonly mode?: "headless";
  /** The path by which the workspace is opened. */
  readonly workspace_root?: string;
  readonly mcp_tools?: JsonValue;
  /** Files that the agent wrote after the approvals were given. */
  readonly agent_wrote_since_approval?: Readonly<Record<string, string>>;
  readonly skip_if?: string;
}

const known: readonly string[] = [
  ...[
    "id",
    "area",
    "kind",
    "family",
    "setup",
    "tool",
    "arguments",
    "raw_arguments",
    "must",
    "check",
    "source",
  ],
  ...[
    "policy",
    "live_expected",
    "wire",
    "peer",
    "steps",
    "repeat",
    "needs",
    "answer",
    "model_script",
    "signal",
  ],
  ...[
    "concurrent",
    "parallel_with",
    "kill",
    "fault",
    "cwd",
    "clients",
    "platform",
    "after_start",
    "mcp_tools",
  ],
  ...["between_ask_and_allow", "agent_wrote_since_approval", "skip_if"],
  ...["before", "after_read", "followup", "mode", "workspace_root"],
];

/** Returns the keys of a row that no driver knows: ignoring them would make the case pass for the wrong reason. */
export function unknownParts(row: Row): string[] {
  return Object.keys(row).filter((name) => !known.includes(name));
}

/** Returns all rows of the file, in order. Throws for a line that is not JSON or no row; the latter with its number. */
export function readRows(file: string): Row[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    const value: unknown = JSON.parse(line);
    if (!isRow(value)) throw new Error(`${file}:${index + 1}: expected a row with id, area, tool and check`);
    return [value];
  });
}

function isRow(value: unknown): value is Row {
  if (!isJsonObject(value as JsonValue)) return false;
  const row = value as JsonObject;
  const texts = ["id", "area", "kind", "family", "setup", "tool", "must"];
  return texts.every((key) => typeof row[key] === "string") && isJsonObject(row["check"]);
}

/** The keys of a call within a row. */
const callParts: readonly string[] = ["tool", "arguments", "answer"];

/** Returns an error for each unknown key of the calls `before` and `followup`, and for an unknown mode. */
export function unknownValues(row: Row): string[] {
  const calls = { before: row.before, followup: row.followup };
  const keys = Object.entries(calls).flatMap(([part, call]) => {
    if (call === undefined) return [];
    if (!isJsonObject(call) || typeof call.tool !== "string") return [`${part} is not a call`];
    const known = part === "followup" ? [...callParts, "check"] : callParts;
    return Object.keys(call).flatMap((key) => (known.includes(key) ? [] : [`unknown part ${part}.${key}`]));
  });
  const mode = row.mode === undefined || row.mode === "headless" ? [] : [`unknown mode ${row.mode}`];
  return [...keys, ...mode];
}
