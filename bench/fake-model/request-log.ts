/** What one run sent: when each request came and its answer was out, what the prompt weighs, what of it stayed. */
import { fileMark, type Scenario } from "./scenario.ts";
import type { PromptParts } from "./wire.ts";

/** Milliseconds of the machine's monotonic clock, which all processes share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export interface LogEntry {
  readonly method: string;
  readonly path: string;
  readonly arrivedAt: number;
  /** When the last byte of the answer was handed to the kernel. */
  finishedAt: number | undefined;
  /** `conversation`: offers tools. `side`: a model call without tools. `other`: lists and the like. */
  kind: "conversation" | "side" | "other";
  bodyBytes: number;
  prompt: PromptParts | undefined;
  problem: string | undefined;
}

export interface ServerReport {
  /** Of the conversation, in order. */
  readonly turns: readonly {
    readonly arrivedAt: number;
    readonly finishedAt: number;
    readonly bodyBytes: number;
  }[];
  /** Every other request, as `METHOD path`. */
  readonly beside: readonly string[];
  readonly systemBytes: number;
  readonly toolsBytes: number;
  readonly toolNames: readonly string[];
  readonly firstMessagesBytes: number;
  /** Whether every prompt is, message by message, the beginning of the next, with the same tools. */
  readonly prefixExact: boolean;
  /** Smallest share of a prompt's characters that the next one begins with. */
  readonly prefixKept: number;
  /** What did not go as the scenario asks. */
  readonly problems: readonly string[];
}

export interface RequestLog {
  begin(method: string, path: string): LogEntry;
  finish(entry: LogEntry): void;
  report(scenario: Scenario): ServerReport;
}

export function createRequestLog(): RequestLog {
  const entries: LogEntry[] = [];
  return {
    begin(method, path) {
      const entry: LogEntry = {
        method,
        path,
        arrivedAt: monotonicMs(),
        finishedAt: undefined,
        kind: "other",
        bodyBytes: 0,
        prompt: undefined,
        problem: undefined,
      };
      entries.push(entry);
      return entry;
    },
    finish(entry) {
      entry.finishedAt = monotonicMs();
    },
    report: (scenario) => report(entries, scenario),
  };
}

function report(entries: readonly LogEntry[], scenario: Scenario): ServerReport {
  const turns = entries.filter((entry) => entry.kind === "conversation");
  const prompts = turns.flatMap((entry) => entry.prompt ?? []);
  const first = prompts[0];
  const pairs = prompts.slice(1).map((prompt, index) => [prompts[index] ?? prompt, prompt] as const);
  return {
    turns: turns.map(({ arrivedAt, finishedAt, bodyBytes }) => ({
      arrivedAt,
      finishedAt: finishedAt ?? arrivedAt,
      bodyBytes,
    })),
    beside: entries
      .filter((entry) => entry.kind !== "conversation")
      .map((entry) => `${entry.method} ${entry.path}`),
    systemBytes: Buffer.byteLength(first?.system ?? ""),
    toolsBytes: Buffer.byteLength(first?.toolsText ?? ""),
    toolNames: first?.tools.map((tool) => tool.name) ?? [],
    firstMessagesBytes: Buffer.byteLength(first?.messages.join("") ?? ""),
    prefixExact: pairs.every(([before, after]) => isBeginning(before, after)),
    prefixKept: Math.min(1, ...pairs.map(([before, after]) => shareKept(before, after))),
    problems: [...entries.flatMap((entry) => entry.problem ?? []), ...unexpected(scenario, prompts)],
  };
}

function isBeginning(before: PromptParts, after: PromptParts): boolean {
  const same = before.system === after.system && before.toolsText === after.toolsText;
  return same && before.messages.every((message, index) => message === after.messages[index]);
}

function shareKept(before: PromptParts, after: PromptParts): number {
  const [old, grown] = [before, after].map((prompt) =>
    [prompt.system, prompt.toolsText, ...prompt.messages].join("\0"),
  );
  if (old === undefined || grown === undefined || old.length === 0) return 1;
  let same = 0;
  while (same < old.length && old.charCodeAt(same) === grown.charCodeAt(same)) same += 1;
  return same / old.length;
}

function unexpected(scenario: Scenario, prompts: readonly PromptParts[]): string[] {
  const turns = {
    answer: 1,
    deltas: 1,
    "big-call": 2,
    reads: scenario.kind === "reads" ? scenario.turns + 1 : 0,
  };
  const expected = turns[scenario.kind];
  if (prompts.length !== expected) return [`${prompts.length} model calls, expected ${expected}`];
  if (scenario.kind !== "reads") return [];
  const said = prompts.at(-1)?.messages.join("\n") ?? "";
  const missing = Array.from({ length: scenario.turns }, (_, index) => index).filter(
    (index) => !said.includes(fileMark(index)),
  );
  return missing.length === 0 ? [] : [`the content of file ${missing.join(", ")} never came back`];
}
