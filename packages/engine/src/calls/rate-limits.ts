/** How much a session may do in a time: calls a minute, commands and bytes a turn. */
import type { Clock } from "../clock.ts";
import type { CallFacts } from "../policy/facts.ts";
import type { RateLimits } from "../turn.ts";

export interface CallMeter {
  /** Why the call may not run now, in words for the model; undefined when it may. */
  refusal(tool: string, facts: CallFacts): string | undefined;
  /** Counts a call that is about to run. */
  count(tool: string, facts: CallFacts): void;
  /** A turn begins: what is counted by the turn begins anew. */
  startTurn(): void;
}

const windowMs = 60_000;

export const defaultRateLimits: RateLimits = {
  callsPerMinute: 120,
  callsPerMinuteByTool: {},
  commandsPerTurn: 100,
  bytesWrittenPerTurn: 50_000_000,
};

export function createCallMeter(limits: RateLimits, clock: Clock): CallMeter {
  let recent: { readonly at: number; readonly tool: string }[] = [];
  let commands = 0;
  let bytes = 0;

  /** Milliseconds until one more call may run; 0 when it may. */
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
      if (all > 0) return tooMany(limits.callsPerMinute, "tool calls", all, "calls_per_minute");
      const own = Object.hasOwn(limits.callsPerMinuteByTool, tool)
        ? limits.callsPerMinuteByTool[tool]
        : undefined;
      const ofTool = own === undefined ? 0 : waitFor(own, tool);
      if (ofTool > 0) return tooMany(own ?? 0, `${tool} calls`, ofTool, "calls_per_minute_by_tool");
      if (command !== undefined && commands >= limits.commandsPerTurn)
        return spent(`${limits.commandsPerTurn} commands`, `${commands} have run`, "commands_per_turn");
      if (writesBytes > 0 && bytes + writesBytes > limits.bytesWrittenPerTurn)
        return spent(
          `${limits.bytesWrittenPerTurn} bytes written`,
          `${bytes} are written and this call would add ${writesBytes}`,
          "bytes_written_per_turn",
        );
      return undefined;
    },
    count(tool, { command, writesBytes = 0 }) {
      recent.push({ at: clock.monotonic(), tool });
      if (command !== undefined) commands++;
      bytes += writesBytes;
    },
    startTurn() {
      commands = 0;
      bytes = 0;
    },
  };
}

function tooMany(limit: number, what: string, waitMs: number, setting: string): string {
  const seconds = Math.ceil(waitMs / 1000);
  return `not run: at most ${limit} ${what} run in a minute. The next may run in ${seconds} s: do not repeat it before, ${ask(setting)}`;
}

function spent(limit: string, now: string, setting: string): string {
  return `not run: at most ${limit} for one message of the person, and ${now}. It frees with the person's next message: say what is done and what is left, ${ask(setting)}`;
}

function ask(setting: string): string {
  return `or tell the person that the setting limits.${setting} is what holds you`;
}
