/**
 * Writes down what a provider sent, at the door to the network: request bodies, status, headers of interest and the
 * raw text with its times, as JSON lines in a file that only its owner can read. No key is in it.
 */

import { appendFileSync, closeSync, fchmodSync, fstatSync, openSync } from "node:fs";
import { HarnessError } from "@localharness/engine";
import { reasonOf } from "@localharness/protocol";
import type { Http, HttpFailure, HttpRequest, HttpResponse } from "./http/http.ts";
import { bareUrl, maskSecrets } from "./http/secrets.ts";

/** One line of a recording. Times are milliseconds since the recording began. */
export type RecordedLine =
  | {
      readonly type: "recording";
      readonly version: 1;
      readonly provider: string;
      readonly baseUrl: string;
      readonly model: string;
      /** Tokens, where the request sets it. */
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
  /** Replaced wherever they appear. */
  readonly secrets: readonly string[];
}

const keptHeaders = ["content-type", "content-encoding", "retry-after", "location", "server"];

/**
 * The same door, with everything that passes written to the file. Throws one `HarnessError` when the file cannot be
 * made; when it cannot be written later, that is the failure of the request.
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
    async send(request: HttpRequest, signal: AbortSignal) {
      const n = ++count;
      const { method, url, body } = request;
      const sent = { method, url: bareUrl(url), ...(body === undefined ? {} : { body }) };
      const unsent = write({ type: "request", n, at: at(), ...sent });
      if (unsent !== undefined) return unsent;
      const answer = await http.send(request, signal);
      if (answer.kind !== "response")
        return write({ type: "failure", n, at: at(), failure: answer }) ?? answer;
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

/** Empty, and for its owner only, also where there was one that others could read. */
function makeFile(path: string): void {
  const file = openSync(path, "w", 0o600);
  try {
    // What is no file, such as /dev/null, belongs to somebody else.
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
      message: `The recording ${path} cannot be written (${why}). Make room, or leave it out.`,
    };
  }
}

function pick(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => keptHeaders.includes(name)));
}
