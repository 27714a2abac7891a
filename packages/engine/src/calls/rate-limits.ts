/** Limits the calls per minute, and the commands and written bytes per turn. */
import { countText } from "@localharness/protocol";
import type { Clock } from "../clock.ts";
import type { CallFacts } from "../policy/facts.ts";
import { spentText, tooManyText } from "./texts.ts";

export interface RateLimits {
  /** The maximum number of tool calls in any 60 seconds. */
  readonly callsPerMinute: number;
  /** The maximum number of calls of one tool in any 60 seconds, by tool name. */
  readonly callsPerMinuteByTool: Readonly<Record<string, number>>;
  readonly commandsPerTurn: number;
  readonly bytesWrittenPerTurn: number;
}

export interface CallMeter {
  /** Returns the reason, for the model, why the call may not run now; undefined if it may. */
  refusal(tool: string, facts: CallFacts): string | undefined;
  /** Counts a call that is about to run. */
  count(tool: string, facts: CallFacts): void;
  /** Resets the counters of a turn. */
  startTurn(): void;
}

const windowMs = 60_000;

export const defaultRateLimits: RateLimits = {
  callsPerMinute: 120,
  callsPerMinuteByTool: {},
  commandsPerTurn: 100,
  bytesWrittenPerTurn: 50_000_000,
};

/** Returns a meter for one session and its agents. */
export function createCallMeter(limits: RateLimits, clock: Clock): CallMeter {
  let recent: { readonly at: number; readonly tool: string }[] = [];
  let commands = 0;
  let bytes = 0;

  /** Returns the milliseconds until one more call may run; 0 if it may run now. */
  function waitFor(limit: number, tool?: string): number {
    const now = clock.monotonic();
    recent = recent.filter((call) => now - call.at < windowMs);
    const counted = tool === undefined ? recent : recent.filter((call) => call.tool === tool);
    if (limit <= 0) return windowMs;
    const freeing = counted.at(-limit);
    return freeing === undefined ? 0 : freeing.at + windowMs - now;
  }

  return {
    refusal(tool, { command, writesBytes = 0 }) {
      const all = waitFor(limits.callsPerMinute);
      if (all > 0) return tooManyText(limits.callsPerMinute, "tool call", all, "calls_per_minute");
      const own = Object.hasOwn(limits.callsPerMinuteByTool, tool)
        ? limits.callsPerMinuteByTool[tool]
        : undefined;
      const ofTool = own === undefined ? 0 : waitFor(own, tool);
      if (ofTool > 0) return tooManyText(own ?? 0, `${tool} call`, ofTool, "calls_per_minute_by_tool");
      if (command !== undefined && commands >= limits.commandsPerTurn) {
        return spentText(
          countText(limits.commandsPerTurn, "command"),
          `${commands} ${commands === 1 ? "has" : "have"} run`,
          "commands_per_turn",
        );
      }
      if (writesBytes > 0 && bytes + writesBytes > limits.bytesWrittenPerTurn) {
        return spentText(
          `${countText(limits.bytesWrittenPerTurn, "byte")} written`,
          `${bytes} are written and this call would add ${writesBytes}`,
          "bytes_written_per_turn",
        );
      }
      return undefined;
    },
    count(tool, { command, writesBytes = 0 }) {
      recent.push({ at: clock.monotonic(), tool });
      if (command !== undefined) commands += 1;
      bytes += writesBytes;
    },
    startTurn() {
      commands = 0;
      bytes = 0;
    },
  };
}
