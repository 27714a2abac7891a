/** The number of calls that may run in a time, on a clock that the test sets. */
import { describe, expect, test } from "vitest";
import { createCallMeter, defaultRateLimits } from "../../src/calls/rate-limits.ts";

function meter(limits: Partial<typeof defaultRateLimits>) {
  const time = { now: 0 };
  const clock = { now: () => 0, monotonic: () => time.now };
  const made = createCallMeter({ ...defaultRateLimits, ...limits }, clock);
  const run = (tool = "ls", facts = {}) => {
    const refusal = made.refusal(tool, facts);
    if (refusal === undefined) made.count(tool, facts);
    return refusal ?? "ran";
  };
  return { time, run, startTurn: made.startTurn };
}

const command = { command: { text: "x" } };

describe("limits", () => {
  test("of calls a minute: a window that slides", () => {
    const { time, run, startTurn } = meter({ callsPerMinute: 2 });
    expect(run()).toBe("ran");
    time.now = 30_000;
    expect(run("grep")).toBe("ran");
    time.now = 40_000;
    expect(run()).toBe(
      "not run: at most 2 tool calls run in a minute. The next may run in 20 s: do not repeat it before, or tell the person that the setting limits.calls_per_minute stops you",
    );
    startTurn();
    time.now = 59_999;
    expect(run()).toMatch(/in 1 s/);
    time.now = 60_000;
    expect([run(), run()]).toEqual(["ran", expect.stringMatching(/in 30 s/)]);
  });

  test("of one tool's calls a minute", () => {
    const { time, run } = meter({ callsPerMinuteByTool: { bash: 1 } });
    expect([run("bash"), run("ls"), run("bash")]).toEqual([
      "ran",
      "ran",
      expect.stringMatching(
        /^not run: at most 1 bash call runs in a minute\. .+ limits\.calls_per_minute_by_tool /,
      ),
    ]);
    expect(run("constructor")).toBe("ran");
    time.now = 60_000;
    expect(run("bash")).toBe("ran");
  });

  test("of none at all", () => {
    expect(meter({ callsPerMinute: 0 }).run()).toMatch(/at most 0 tool calls/);
    expect(meter({ callsPerMinuteByTool: { ls: 0 } }).run()).toMatch(/at most 0 ls calls/);
  });

  test("of commands a turn", () => {
    const { run, startTurn } = meter({ commandsPerTurn: 1 });
    expect([run("bash", command), run("ls"), run("bash", command)]).toEqual([
      "ran",
      "ran",
      "not run: at most 1 command for one message of the person, and 1 has run. The limit starts again with the person's next message: say what is done and what is left, or tell the person that the setting limits.commands_per_turn stops you",
    ]);
    startTurn();
    expect(run("bash", command)).toBe("ran");
  });

  test("of bytes written a turn", () => {
    const { run, startTurn } = meter({ bytesWrittenPerTurn: 100 });
    expect(run("write", { writesBytes: 60 })).toBe("ran");
    expect(run("write", { writesBytes: 41 })).toMatch(
      /at most 100 bytes written for one message of the person, and 60 are written and this call would add 41/,
    );
    expect([run("write", { writesBytes: 40 }), run("write", { writesBytes: 1 }), run("read")]).toEqual([
      "ran",
      expect.stringMatching(/bytes_written_per_turn/),
      "ran",
    ]);
    startTurn();
    expect(run("write", { writesBytes: 100 })).toBe("ran");
  });

  test("by default are 120 calls a minute, 100 commands and 50 MB a turn", () => {
    expect(defaultRateLimits).toEqual({
      callsPerMinute: 120,
      callsPerMinuteByTool: {},
      commandsPerTurn: 100,
      bytesWrittenPerTurn: 50_000_000,
    });
  });
});
