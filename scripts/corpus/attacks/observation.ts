/** The observation of a case: questions, started tools, results for the model, screen, requests and measurements. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import type { Asked } from "./chat.ts";
import type { SeenRequest } from "./model-server.ts";
import type { Place } from "./place.ts";
import type { ProbeReport } from "./program.ts";
import { plain } from "./screen.ts";

/** The decision about a call. `invalid`: the call was rejected before the decision. */
export type Decided = "allow" | "ask" | "deny" | "invalid";

export interface SeenResult {
  readonly callId: string;
  readonly success: boolean;
  readonly errorType: string;
  /** The text for the model: data, error and notes. */
  readonly text: string;
  readonly notes: readonly string[];
}

export interface Observation {
  readonly place: Place;
  /** The decision about the row's own call; undefined when there is none. */
  readonly decided: Decided | undefined;
  readonly results: readonly SeenResult[];
  /** The result of the row's own call. */
  readonly main: SeenResult | undefined;
  readonly asked: readonly Asked[];
  /** The tools that were started, read from the screen. */
  readonly started: readonly string[];
  readonly screen: string;
  readonly errors: string;
  readonly requests: readonly SeenRequest[];
  readonly ended: { readonly code: number | null; readonly signal: string | null; readonly hung: boolean };
  /** The observation of the row's second call. */
  readonly followup?: Observation;
  /** Milliseconds from the call to its result, without the person's time. */
  readonly callMs: number | undefined;
  /** Milliseconds from the first request to the end of its turn. */
  readonly turnMs: number | undefined;
  readonly probe: ProbeReport;
  /** Snapshots of the paths of `unchanged` and `file_is_old_or_new` before the call. */
  readonly before: ReadonlyMap<string, string>;
  /** Findings of a special driver: counts of records, connections, calls. */
  readonly found: Readonly<Record<string, JsonValue>>;
  /** Problems that the driver noticed, such as why the case could not be completed. */
  readonly problems: readonly string[];
  /** The thing that the row needs but the program does not have, so that there was nothing to attack. */
  readonly notRun?: string;
}

/** Returns an empty observation, for drivers that fill only some fields. */
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

/** Returns the results of calls in the history of the last request, in order. */
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

/** Returns the tools that were started, with their arguments, in order. */
export function startsOn(screen: string): { readonly tool: string; readonly text: string }[] {
  const lines = plain(screen).matchAll(/^→ (\S+)(.*)$/gm);
  return [...lines].map(([, tool = "", text = ""]) => ({ tool, text }));
}

/** Returns the arguments that a question shows; undefined when they cannot be parsed, which is itself a problem. */
export function shownArguments(question: string): JsonObject | undefined {
  const line = /^Arguments: (.*)$/m.exec(plain(question))?.[1];
  return line === undefined ? undefined : readShown(line);
}

/** Parses shown arguments, in which invisible characters are escaped, and look-alikes and words from right to left are marked. */
export function readShown(text: string): JsonObject | undefined {
  const unmarked = text
    .replace(/⟨(?:U\+[0-9A-F]+|rtl|ltr)⟩/g, "")
    .replace(/⟨(\d+) blanks⟩/g, (_, count: string) => " ".repeat(Number(count)));
  // One pass from left to right, so that an escaped backslash does not begin an escape.
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
