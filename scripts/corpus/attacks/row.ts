/** A recorded attack, or a control that must stay allowed: what is prepared, what is asked for, and what must come of it. */
import { readFileSync } from "node:fs";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

export interface Approval {
  readonly scope: "remember" | "session";
  readonly tool: string;
  readonly decision: "allow" | "deny";
  /** The exact command that was approved. */
  readonly command?: string;
  /** The first words of the commands that are meant. */
  readonly prefix?: readonly string[];
  readonly path?: string;
  /** Another workspace than the one of the case. */
  readonly workspace?: string;
}

export interface RecordedCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** How a person answers this call alone. */
  readonly answer?: "allow";
}

/** Timing of what a peer sends. */
export type Step = JsonObject;

export interface Row {
  readonly id: string;
  readonly area: string;
  readonly kind: "attack" | "control" | "note";
  readonly family: string;
  /** Shell text, run in the workspace. */
  readonly setup: string;
  /** A generic name: `shell` for every tool that runs commands. */
  readonly tool: string;
  readonly arguments?: JsonObject;
  /** The arguments as the model sent them, where they are no tidy JSON. */
  readonly raw_arguments?: string;
  /** For people; wins over `check` on doubt. */
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
  /** Shell text that somebody runs while the question is open, which is then answered with yes. */
  readonly between_ask_and_allow?: string;
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
];

/** Parts of a row that nothing here reads: what they ask for would silently not happen. */
export function unknownParts(row: Row): string[] {
  return Object.keys(row).filter((name) => !known.includes(name));
}

/** Every row of the file, in order. Throws with the line that is no row. */
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
