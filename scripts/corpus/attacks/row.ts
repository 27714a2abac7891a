/**
 * Reads the rows of recorded cases. A row is an attack, or a control that must stay allowed: its setup, its calls and
 * the expected outcome.
 */
import { readFileSync } from "node:fs";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

export interface Approval {
  /** Absent if `decision` says it. */
  readonly scope?: "once" | "session" | "remember";
  readonly tool: string;
  readonly decision: "allow" | "deny" | "ask" | "once" | "session" | "remember";
  /** The exact command that was approved. */
  readonly command?: string;
  /** The first words of the approved commands. */
  readonly prefix?: readonly string[];
  readonly path?: string;
  /** A workspace other than the case's own. */
  readonly workspace?: string;
  /** The arguments that were approved. */
  readonly arguments?: JsonObject;
  /** True if the approved call has been made since. */
  readonly already_used?: boolean;
  /** The definition of the MCP tool that was approved: `same` or the SHA-256 of the one on offer, else an older one. */
  readonly schema_hash?: string;
}

/** An answer of the person, as the rows name it. */
export type AnswerWord = "allow" | "once" | "session" | "remember" | "deny";

export interface RecordedCall {
  readonly tool: string;
  readonly arguments?: JsonObject;
  /** The person's answer to this call. */
  readonly answer?: AnswerWord;
}

/** A text of the model. */
export interface SaidText {
  readonly text: string;
}

/** A text that the person pastes as a message. */
export interface PastedText {
  readonly user_paste: string;
}

/** What happens before the row's own call. A text is a call such as `read_file f.txt`, or a shell script. */
export type EarlierStep = string | RecordedCall | SaidText | PastedText | { readonly run: string };

/** The person's answer to the row's own call. */
export interface GivenAnswer {
  readonly approval_id?: string;
  readonly session?: string;
  readonly disconnect?: boolean;
  readonly decision?: AnswerWord;
  readonly scope?: "once" | "session" | "remember";
  readonly already_used?: boolean;
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
  readonly answer?: GivenAnswer | AnswerWord;
  readonly model_script?: readonly (RecordedCall | SaidText | PastedText)[];
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
  readonly before?: EarlierStep | readonly EarlierStep[];
  /** A shell script that runs between the steps of `before` and the row's own call. */
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
  /** Limits of the program and of its process, by their names in `limits.ts`. */
  readonly limits?: JsonObject;
  /** The limit of the program's memory in MB, or limits as in `limits`. */
  readonly memory?: number | JsonObject;
  /** A text that the person pastes as the message. */
  readonly user_paste?: string | SaidText;
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
