/**
 * Records the traffic with a provider as JSON lines, in a file that only its owner can read. The lines have the request
 * bodies, the status, selected headers, and the raw text with its times. Keys are masked, unless a key is split over two
 * parts of an answer.
 */
import { appendFileSync, closeSync, fchmodSync, fstatSync, openSync } from "node:fs";
import { HarnessError } from "@localharness/engine";
import { defined, reasonOf } from "@localharness/protocol";
import type { Http, HttpFailure, HttpRequest, HttpResponse } from "../http/http.ts";
import { bareUrl, maskSecrets } from "../http/secrets.ts";

/** One line of a recording. Times are in milliseconds since the recording began. */
export type RecordedLine =
  | {
      readonly type: "recording";
      readonly version: 1;
      readonly provider: string;
      readonly baseUrl: string;
      readonly model: string;
      /** The context size in tokens, if the request sets it. */
      readonly contextWindow?: number;
    }
  | {
      readonly type: "request";
      readonly n: number;
      readonly at: number;
      readonly method: string;
      readonly url: string;
      readonly body?: string;
    }
  | {
      readonly type: "response";
      readonly n: number;
      readonly at: number;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly type: "part"; readonly n: number; readonly at: number; readonly text: string }
  | { readonly type: "failure"; readonly n: number; readonly at: number; readonly failure: HttpFailure }
  | { readonly type: "end"; readonly n: number; readonly at: number };

export interface RecordOptions {
  readonly provider: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly contextWindow?: number;
  /** Texts that are masked in every line, as `maskSecrets` does. */
  readonly secrets: readonly string[];
}

const keptHeaders = ["content-type", "content-encoding", "retry-after", "location", "server"];

/**
 * Wraps an `Http` so that all its traffic is written to the file. Throws a `HarnessError` if the file cannot be
 * created. If a later write fails, the request fails.
 */
export function recordHttp(http: Http, path: string, options: RecordOptions): Http {
  const began = performance.now();
  const at = () => Math.round(performance.now() - began);
  const { provider, model, contextWindow } = options;
  const write = (line: RecordedLine) =>
    attempt(path, () => appendFileSync(path, `${maskSecrets(JSON.stringify(line), options.secrets)}\n`));
  const window = contextWindow === undefined ? {} : { contextWindow };
  const baseUrl = bareUrl(options.baseUrl);
  const lost =
    attempt(path, () => makeFile(path)) ??
    write({ type: "recording", version: 1, provider, baseUrl, model, ...window });
  if (lost !== undefined) throw new HarnessError("config-invalid", lost.message);
  let count = 0;
  return {
    async send(request: HttpRequest, signal: AbortSignal, onConnected?: () => void) {
      const n = ++count;
      const { method, url, body } = request;
      const sent = { method, url: bareUrl(url), ...defined({ body }) };
      const unsent = write({ type: "request", n, at: at(), ...sent });
      if (unsent !== undefined) return unsent;
      const answer = await http.send(request, signal, onConnected);
      if (answer.kind !== "response") {
        return write({ type: "failure", n, at: at(), failure: answer }) ?? answer;
      }
      return { ...answer, parts: recordParts(answer, n, at, write) };
    },
  };
}

async function* recordParts(
  answer: HttpResponse,
  n: number,
  at: () => number,
  write: (line: RecordedLine) => HttpFailure | undefined,
): AsyncGenerator<string | HttpFailure> {
  let lost = write({ type: "response", n, at: at(), status: answer.status, headers: pick(answer.headers) });
  for await (const part of answer.parts) {
    lost ??= write(
      typeof part === "string"
        ? { type: "part", n, at: at(), text: part }
        : { type: "failure", n, at: at(), failure: part },
    );
    yield lost ?? part;
    if (lost !== undefined) return;
  }
  lost ??= write({ type: "end", n, at: at() });
  if (lost !== undefined) yield lost;
}

/** Creates the file, or empties it. Only its owner may read it afterwards, even if others could read it before. */
function makeFile(path: string): void {
  const file = openSync(path, "w", 0o600);
  try {
    // The mode of a device such as /dev/null must not be changed.
    if (fstatSync(file).isFile()) fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
}

function attempt(path: string, write: () => void): HttpFailure | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    const why = reasonOf(error);
    return {
      kind: "local",
      message: `The recording ${path} cannot be written (${why}). Check the path and the free space, or run without recording.`,
    };
  }
}

function pick(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => keptHeaders.includes(name)));
}
