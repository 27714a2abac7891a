/** Answers requests from a recording in place of a server. The same raw text goes through the same readers. */
import { readFileSync } from "node:fs";
import { HarnessError } from "@localharness/engine";
import { countText, isJsonObject } from "@localharness/protocol";
import type { Http, HttpFailure, HttpResponse } from "../http/http.ts";
import type { RecordedLine } from "./record.ts";

export interface Recording {
  readonly provider: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly contextWindow?: number;
  /** The exchanges, in the order of the requests. */
  readonly exchanges: readonly RecordedExchange[];
}

export interface RecordedExchange {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: readonly (string | HttpFailure)[];
  /** The failure of a request to which no answer came. */
  readonly failure?: HttpFailure;
}

/**
 * Returns the recording in a file. Throws a `HarnessError` if the file cannot be read or is not a recording. Ignores an
 * incomplete last line.
 */
export function readRecording(path: string): Recording {
  const text = readOrFail(path);
  return parseRecording(text, path);
}

function readOrFail(path: string): string {
  const problem: { cause?: unknown } = {};
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    problem.cause = error;
  }
  const message = `The recording ${path} cannot be read: ${problem.cause instanceof Error ? problem.cause.message : "no reason given"}`;
  throw new HarnessError("config-invalid", message, problem);
}

/** Returns the recording in a text, as `readRecording` does for a file. `name` names the recording in messages. */
export function parseRecording(text: string, name: string): Recording {
  const all = text.split("\n");
  const lines = all.flatMap((line, index) => readLine(line, index, index === all.length - 1, name));
  const [head] = lines;
  if (head?.type !== "recording" || head.version !== 1) {
    throw new HarnessError(
      "config-invalid",
      `${name} is not a recording of a model: expected the header of a recording, version 1, in its first line.`,
    );
  }
  const exchanges = new Map<number, Building>();
  for (const line of lines) if (line.type !== "recording") addLine(exchanges, line);
  const { type: _type, version: _version, ...of } = head;
  return { ...of, exchanges: [...exchanges.values()] };
}

type Building = { -readonly [Key in keyof RecordedExchange]: RecordedExchange[Key] } & {
  parts: (string | HttpFailure)[];
};

function addLine(exchanges: Map<number, Building>, line: Exclude<RecordedLine, { type: "recording" }>): void {
  if (line.type === "request") {
    exchanges.set(line.n, { url: line.url, status: 0, headers: {}, parts: [] });
    return;
  }
  const exchange = exchanges.get(line.n);
  if (exchange === undefined) return;
  if (line.type === "response") {
    exchange.status = line.status;
    exchange.headers = line.headers;
  } else if (line.type === "part") {
    exchange.parts.push(line.text);
  } else if (line.type === "failure") {
    if (exchange.status === 0) exchange.failure = line.failure;
    else exchange.parts.push(line.failure);
  }
}

function readLine(line: string, index: number, isLast: boolean, name: string): RecordedLine[] {
  if (line.trim() === "") return [];
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    if (isLast) return [];
  }
  if (isRecordedLine(value)) return [value];
  if (index === 0) return [];
  throw new HarnessError(
    "config-invalid",
    `${name}, line ${index + 1}: expected a line of a recording, got ${line.slice(0, 60)}. Record it again, or remove the line.`,
  );
}

function isRecordedLine(value: unknown): value is RecordedLine {
  if (!isJsonObject(value)) return false;
  const { type, n, failure } = value;
  const texts = (...keys: readonly string[]) => keys.every((key) => typeof value[key] === "string");
  if (type === "recording") return texts("provider", "baseUrl", "model");
  if (typeof n !== "number") return false;
  switch (type) {
    case "request":
      return texts("url");
    case "response":
      return typeof value["status"] === "number" && isJsonObject(value["headers"]);
    case "part":
      return texts("text");
    case "failure":
      return (
        isJsonObject(failure) && typeof failure["kind"] === "string" && typeof failure["message"] === "string"
      );
    default:
      return type === "end";
  }
}

/**
 * Returns an `Http` that answers from the recording. Each URL path gets its own answers in their order, so that a
 * request to another path does not take an answer of the chat. A request after the last answer of its path fails.
 */
export function replayHttp(recording: Recording): Http {
  const left = [...recording.exchanges];
  return {
    async send(request, signal): Promise<HttpResponse | HttpFailure> {
      if (signal.aborted) return { kind: "aborted", message: "The request was aborted." };
      const at = left.findIndex(({ url }) => isSameAddress(url, request.url));
      const [exchange] = at === -1 ? [] : left.splice(at, 1);
      if (exchange === undefined) {
        const message = `The recording holds ${countText(recording.exchanges.length, "answer")}; none is left for ${request.url}.`;
        return { kind: "unreadable", message };
      }
      if (exchange.failure !== undefined) return exchange.failure;
      const { status, headers } = exchange;
      return { kind: "response", status, headers, parts: parts(exchange, signal) };
    },
  };
}

function isSameAddress(recorded: string, url: string): boolean {
  if (!URL.canParse(recorded) || !URL.canParse(url)) return true;
  return new URL(recorded).pathname === new URL(url).pathname;
}

async function* parts(exchange: RecordedExchange, signal: AbortSignal): AsyncGenerator<string | HttpFailure> {
  for (const part of exchange.parts) {
    if (signal.aborted) {
      yield { kind: "aborted", message: "The request was aborted." };
      return;
    }
    yield part;
  }
}
