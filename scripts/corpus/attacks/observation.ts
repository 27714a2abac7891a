/** What was seen of a case: what the person was asked, what ran, what the model was told, what is on the disk. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import type { Asked } from "./chat.ts";
import type { SeenRequest } from "./model-server.ts";
import type { Place } from "./place.ts";
import type { ProbeReport } from "./program.ts";
import { plain } from "./screen.ts";

/** `invalid`: turned away before anybody had to decide. */
export type Decided = "allow" | "ask" | "deny" | "invalid";

export interface SeenResult {
  readonly callId: string;
  readonly success: boolean;
  readonly errorType: string;
  /** What the model reads: data and error together. */
  readonly text: string;
  readonly notes: readonly string[];
}

export interface Observation {
  readonly place: Place;
  /** The first call that the row is about; undefined when there is none. */
  readonly decided: Decided | undefined;
  readonly results: readonly SeenResult[];
  /** The result of the row's own call. */
  readonly main: SeenResult | undefined;
  readonly asked: readonly Asked[];
  /** Tools that were started, as the screen tells it. */
  readonly started: readonly string[];
  readonly screen: string;
  readonly errors: string;
  readonly requests: readonly SeenRequest[];
  readonly ended: { readonly code: number | null; readonly signal: string | null; readonly hung: boolean };
  /** Milliseconds from the call to its result, without the time of the person. */
  readonly callMs: number | undefined;
  /** Milliseconds from the first request to the end of its turn. */
  readonly turnMs: number | undefined;
  readonly probe: ProbeReport;
  /** What the paths of `unchanged` and of `file_is_old_or_new` were before the call. */
  readonly before: ReadonlyMap<string, string>;
  /** What a driver of its own found: counts of records, of connections, of calls. */
  readonly found: Readonly<Record<string, JsonValue>>;
  /** Why the case could not be driven to its end, or what a driver of its own saw go wrong. */
  readonly problems: readonly string[];
  /** What the row needs and the program does not have: there was nothing to attack. */
  readonly notRun?: string;
}

/** An observation of nothing, for drivers that see little. */
export function emptyObservation(place: Place): Observation {
  return {
    place,
    decided: undefined,
    results: [],
    main: undefined,
    asked: [],
    started: [],
    screen: "",
    errors: "",
    requests: [],
    ended: { code: 0, signal: null, hung: false },
    callMs: undefined,
    turnMs: undefined,
    probe: {},
    before: new Map(),
    found: {},
    problems: [],
  };
}

/** All results that the model was given, from the last request that holds any. */
export function resultsOf(requests: readonly SeenRequest[]): SeenResult[] {
  const messages = requests.at(-1)?.body["messages"];
  return listOf(messages).flatMap((message) => (message["role"] === "tool" ? [readResult(message)] : []));
}

export function listOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function readResult(message: JsonObject): SeenResult {
  const content = typeof message["content"] === "string" ? message["content"] : "";
  const result = jsonIn(content);
  const notes = Array.isArray(result["notes"]) ? result["notes"].map(String) : [];
  const parts = [result["data"], result["error_message"], ...notes];
  return {
    callId: String(message["tool_call_id"] ?? ""),
    success: result["success"] === true,
    errorType: String(result["error_type"] ?? "unreadable"),
    text: parts.filter((part) => typeof part === "string").join("\n"),
    notes,
  };
}

function jsonIn(text: string): JsonObject {
  try {
    const value: JsonValue = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return { data: text };
  }
}

/** Names of tools with their arguments, in the order in which they were started. */
export function startsOn(screen: string): { readonly tool: string; readonly text: string }[] {
  const lines = plain(screen).matchAll(/^→ (\S+)(.*)$/gm);
  return [...lines].map(([, tool = "", text = ""]) => ({ tool, text }));
}

/** The arguments as a question shows them; undefined when they cannot be read back, which is a failing of its own. */
export function shownArguments(question: string): JsonObject | undefined {
  const line = /^Arguments: (.*)$/m.exec(plain(question))?.[1];
  return line === undefined ? undefined : readShown(line);
}

/** Reads arguments in which everything invisible stands as an escape, and letters that look like others are marked. */
export function readShown(text: string): JsonObject | undefined {
  const unmarked = text
    .replace(/⟨U\+[0-9A-F]+⟩/g, "")
    .replace(/⟨(\d+) blanks⟩/g, (_, count: string) => " ".repeat(Number(count)));
  // From left to right, so that a backslash that was itself escaped begins nothing.
  const json = unmarked.replace(
    /\\(?:u\{([0-9a-f]+)\}|x([0-9a-f]{2})|.)/gi,
    (whole, long?: string, short?: string) => {
      const code = long ?? short;
      return code === undefined ? whole : units(String.fromCodePoint(Number.parseInt(code, 16)));
    },
  );
  try {
    const value: JsonValue = JSON.parse(json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function units(text: string): string {
  const codes = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return codes.map((code) => `\\u${code.toString(16).padStart(4, "0")}`).join("");
}
