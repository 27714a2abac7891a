import { expect, test } from "vitest";
import { openSandbox } from "../../src/sandbox/open-sandbox.ts";
import { sandboxState } from "../../src/sandbox/sandbox-status.ts";
import { ripgrepPath } from "../../src/search/ripgrep.ts";

test("off and absent say that nothing is confined", () => {
  const rules = { workspace: "/w", writable: [], domains: [], unreadable: [] };
  const off = openSandbox({ mode: "off", rules, stateFolder: "/none", ripgrep: ripgrepPath });
  expect([off.state, off.describe()]).toEqual([
    { kind: "off" },
    "no sandbox: a command can do all that you can do",
  ]);
  expect(
    sandboxState("auto", { environment: { PATH: "/nowhere" }, platform: "linux", isRoot: false }),
  ).toEqual({
    kind: "absent",
    problem: expect.stringMatching(/^bwrap and socat are not installed \(apt install bubblewrap socat,/),
  });
  expect(
    sandboxState("auto", { environment: { PATH: "/nowhere" }, platform: "linux", isRoot: true }),
  ).toEqual({
    kind: "absent",
    problem: expect.stringMatching(/setpriv are not installed \(apt install bubblewrap socat util-linux,/),
  });
  expect(sandboxState("require", { platform: "win32" })).toEqual({
    kind: "absent",
    problem: expect.stringMatching(/win32/),
  });
  expect(sandboxState("auto", { platform: "darwin" })).toEqual({ kind: "on", summary: "seatbelt" });
});
