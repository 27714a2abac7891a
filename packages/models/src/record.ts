/**
 * Writes down what a provider sent, at the door to the network: request bodies, status, headers of interest and the
 * raw text with its times, as JSON lines in a file that only its owner can read. No key is in it.
 */
import { appendFileSync, closeSync, openSync } from "node:fs";
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

/** The same door, with everything that passes written to the file. Throws when the file cannot be made. */
export function recordHttp(http: Http, path: string, options: RecordOptions): Http {
  const began = performance.now();
  const at = () => Math.round(performance.now() - began);
  const { provider, model, contextWindow } = options;
  closeSync(openSync(path, "w", 0o600));
  const write = (line: RecordedLine) => {
    appendFileSync(path, `${maskSecrets(JSON.stringify(line), options.secrets)}\n`);
  };
  const window = contextWindow === undefined ? {} : { contextWindow };
  write({ type: "recording", version: 1, provider, baseUrl: bareUrl(options.baseUrl), model, ...window });
  let count = 0;
  return {
    async send(request: HttpRequest, signal: AbortSignal) {
      const n = ++count;
      const { method, url, body } = request;
      write({
        type: "request",
        n,
        at: at(),
        method,
        url: bareUrl(url),
        ...(body === undefined ? {} : { body }),
      });
      const answer = await http.send(request, signal);
      if (answer.kind !== "response") {
        write({ type: "failure", n, at: at(), failure: answer });
        return answer;
      }
      write({ type: "response", n, at: at(), status: answer.status, headers: pick(answer.headers) });
      return { ...answer, parts: recordParts(answer, n, at, write) };
    },
  };
}

async function* recordParts(
  answer: HttpResponse,
  n: number,
  at: () => number,
  write: (line: RecordedLine) => void,
): AsyncGenerator<string | HttpFailure> {
  for await (const part of answer.parts) {
    if (typeof part === "string") write({ type: "part", n, at: at(), text: part });
    else write({ type: "failure", n, at: at(), failure: part });
    yield part;
  }
  write({ type: "end", n, at: at() });
}

function pick(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => keptHeaders.includes(name)));
}
