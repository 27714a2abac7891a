/** Counts what a test can check without a clock: requests, prompt bytes, and whether the prompt only grows. */
import { type OwnTemplate, readTemplate } from "@localharness/models/fake-server";
import { openStage } from "./measure/stage.ts";
import { localHarness, type ToolSet } from "./programs/ours.ts";

export interface OverheadCounts {
  /** All requests of the run, including those that are not model calls. */
  readonly requests: number;
  /** The requests that do not belong to the conversation, as `METHOD path`. */
  readonly sideRequests: readonly string[];
  /** UTF-8 bytes of the first request's system messages. */
  readonly systemBytes: number;
  /** UTF-8 bytes of the first request's `tools` as JSON. */
  readonly toolsBytes: number;
  readonly toolNames: readonly string[];
  /** True if each prompt's messages begin with all messages of the previous prompt, and the tools stay the same. */
  readonly prefixExact: boolean;
  /** With a template: the smallest share of a rendered prompt that is also the beginning of the next one. */
  readonly renderedKept: number;
  /** With a template: the server's refusals. */
  readonly refused: readonly string[];
  /** Deviations from the script: an exit code, a missing turn, a file whose content was never sent back. */
  readonly problems: readonly string[];
}

export interface CountOptions {
  readonly wire?: "openai" | "ollama";
  readonly tools?: ToolSet;
  /** Number of turns with one file read each; 10 by default. */
  readonly turns?: number;
  /** The chat template through which the server renders each request. The server refuses what the template refuses. */
  readonly template?: OwnTemplate;
}

/** Runs the program once against a scripted server. `command` starts it: `["node", "packages/cli/src/main.ts"]`. */
export async function countOverhead(
  command: readonly string[],
  { wire = "openai", tools = "standard", turns = 10, template }: CountOptions = {},
): Promise<OverheadCounts> {
  const stage = await openStage(template === undefined ? undefined : { template: readTemplate(template) });
  try {
    const { report, problems } = await stage.run(localHarness(command, wire, tools), {
      kind: "reads",
      turns,
    });
    if (report === undefined) throw new Error("The scripted model server gave no report.");
    return {
      requests: report.turns.length + report.beside.length,
      sideRequests: report.beside,
      systemBytes: report.systemBytes,
      toolsBytes: report.toolsBytes,
      toolNames: report.toolNames,
      prefixExact: report.prefixExact,
      renderedKept: report.renderedKept,
      refused: report.refused,
      problems,
    };
  } finally {
    stage.close();
  }
}
