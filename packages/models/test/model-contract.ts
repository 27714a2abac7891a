/**
 * Tests the contract of every adapter over raw streams: the expected events whether the stream comes whole, cut at any index
 * or one character at a time.
 */
import { readFileSync } from "node:fs";
import type { Model, ModelRequest } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import { describe, expect, it } from "vitest";
import type { Http } from "../src/http/http.ts";
import { replayHttp } from "../src/index.ts";

export interface RecordedCase {
  /** A file under `test/recordings`. */
  readonly file: string;
  readonly title: string;
  /** Adjacent deltas are joined. */
  readonly events: readonly ModelEvent[];
}

export const emptyRequest: ModelRequest = { messages: [], tools: [] };

export function modelContract(
  name: string,
  adapter: (http: Http) => Model,
  cases: readonly RecordedCase[],
): void {
  describe(name, () => {
    for (const { file, title, events } of cases) {
      const text = readFileSync(new URL(`recordings/${file}`, import.meta.url), "utf8");
      it(`${title} (${file})`, async () => {
        expect(await read(adapter, [text])).toEqual(events);
        expect(await read(adapter, [...text])).toEqual(events);
        for (let cut = 1; cut < text.length; cut += 1) {
          expect(await read(adapter, [text.slice(0, cut), text.slice(cut)]), `cut at ${cut}`).toEqual(events);
        }
      });
    }
  });
}

async function read(adapter: (http: Http) => Model, parts: readonly string[]): Promise<ModelEvent[]> {
  const exchange = { url: "", status: 200, headers: {}, parts };
  const http = replayHttp({ provider: "custom", baseUrl: "", model: "m", exchanges: [exchange] });
  return collect(adapter(http), emptyRequest);
}

/** Returns all events of one answer with adjacent deltas joined. */
export async function collect(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
  onEvent: (event: ModelEvent) => void = () => undefined,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, signal)) {
    addMerged(events, event);
    onEvent(event);
  }
  return events;
}

function addMerged(events: ModelEvent[], event: ModelEvent): void {
  const last = events.at(-1);
  const joined =
    last?.type === "text-delta" && event.type === "text-delta"
      ? { ...last, text: last.text + event.text }
      : last?.type === "reasoning-delta" && event.type === "reasoning-delta"
        ? { ...last, text: last.text + event.text }
        : last?.type === "tool-call-delta" && event.type === "tool-call-delta" && last.index === event.index
          ? { ...last, argumentsText: last.argumentsText + event.argumentsText }
          : undefined;
  if (joined === undefined) events.push(event);
  else events[events.length - 1] = joined;
}
