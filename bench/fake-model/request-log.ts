/** Records the requests of a run: times, prompt bytes, and how much of each prompt the next one keeps. */
import { fileMark, type Scenario } from "./scenario.ts";
import type { PromptParts } from "./wire.ts";

/** Returns the milliseconds of the machine's monotonic clock, which all processes share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export interface LogEntry {
  readonly method: string;
  readonly path: string;
  readonly arrivedAt: number;
  /** The time at which the last byte of the answer was handed to the kernel. */
  finishedAt: number | undefined;
  /** `conversation`: a model call with tools. `side`: a model call without tools. `other`: model lists and the like. */
  kind: "conversation" | "side" | "other";
  bodyBytes: number;
  prompt: PromptParts | undefined;
  /** The prompt that a strict server's template rendered. */
  rendered: string | undefined;
  /** The reason why a strict server refused the request. */
  refused: string | undefined;
  problem: string | undefined;
}

export interface ServerReport {
  /** The requests of the conversation, in order. */
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
  /** True if every prompt is a prefix of the next one, message by message, with the same tools. */
  readonly prefixExact: boolean;
  /** The smallest share of a prompt's characters with which the next one begins. */
  readonly prefixKept: number;
  /** The same as `prefixKept`, for the prompts that a strict server's template rendered; 1 if there are none. */
  readonly renderedKept: number;
  /** The refusals of a strict server, in its words. */
  readonly refused: readonly string[];
  /** Deviations from the scenario. */
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
        rendered: undefined,
        refused: undefined,
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
    prefixKept: Math.min(1, ...pairs.map(([before, after]) => shareKept(textOf(before), textOf(after)))),
    renderedKept: renderedKept(turns),
    refused: entries.flatMap((entry) => entry.refused ?? []),
    problems: [...entries.flatMap((entry) => entry.problem ?? []), ...unexpected(scenario, prompts)],
  };
}

function isBeginning(before: PromptParts, after: PromptParts): boolean {
  const same = before.system === after.system && before.toolsText === after.toolsText;
  return same && before.messages.every((message, index) => message === after.messages[index]);
}

function textOf(prompt: PromptParts): string {
  return [prompt.system, prompt.toolsText, ...prompt.messages].join("\0");
}

function renderedKept(turns: readonly LogEntry[]): number {
  const prompts = turns.flatMap(({ rendered }) => rendered ?? []);
  return Math.min(1, ...prompts.slice(1).map((after, index) => shareKept(prompts[index] ?? "", after)));
}

function shareKept(old: string, grown: string): number {
  if (old.length === 0) return 1;
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
  return missing.length === 0 ? [] : [`the content of file ${missing.join(", ")} was never sent back`];
}
