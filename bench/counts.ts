/** What can be counted rather than timed, for a test: requests, prompt bytes, and whether the prompt only grows. */
import { type OwnTemplate, readTemplate } from "@localharness/models/fake-server";
import { openStage } from "./measure/stage.ts";
import { localHarness, type ToolSet } from "./programs/ours.ts";

export interface OverheadCounts {
  /** Every request of the run, also those that are no model call. */
  readonly requests: number;
  /** Of them, those beside the conversation, as `METHOD path`. */
  readonly sideRequests: readonly string[];
  /** UTF-8 bytes of the first request's system messages. */
  readonly systemBytes: number;
  /** UTF-8 bytes of its `tools` as JSON. */
  readonly toolsBytes: number;
  readonly toolNames: readonly string[];
  /** Whether each prompt's messages begin with all of the previous prompt's, and the tools stay the same. */
  readonly prefixExact: boolean;
  /** With a template: the smallest share of a rendered prompt with which the next one begins. */
  readonly renderedKept: number;
  /** With a template: what the server refused. */
  readonly refused: readonly string[];
  /** What did not go as scripted: an exit code, a missing turn, a file's content that never came back. */
  readonly problems: readonly string[];
}

export interface CountOptions {
  readonly wire?: "openai" | "ollama";
  readonly tools?: ToolSet;
  /** Turns with one file read each; 10 by default. */
  readonly turns?: number;
  /** The server renders each request through it, and refuses what it refuses. */
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
