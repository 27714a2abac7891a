import { offlineVariables } from "@localharness/commands/shell/programs/table";
import { sandboxState } from "@localharness/processes/sandbox/sandbox-status";
import { describe, expect, test } from "vitest";
import { openBench, said } from "../bench.ts";

const variables = offlineVariables();
const printed = `for name in ${Object.keys(variables).join(" ")}; do printf '%s=%s\\n' $name "$(printenv $name)"; done`;

describe.skipIf(sandboxState("auto").kind !== "on")("programs that load packages", () => {
  test("are told to give up at once if the network is closed", async () => {
    const bench = await openBench({ sandbox: { mode: "require" } });
    const output = said(await bench.call("bash", { command: printed }));
    for (const [name, value] of Object.entries(variables)) expect(output).toContain(`${name}=${value}\n`);
  });

  test("take the value that a command gives", async () => {
    const bench = await openBench({ sandbox: { mode: "require" } });
    const output = said(await bench.call("bash", { command: "PIP_RETRIES=7 printenv PIP_RETRIES" }));
    expect(output).toContain("7\n");
  });

  test.each([
    ["with hosts that commands may reach", { mode: "require", domains: ["example.com"] }],
    ["without a sandbox", { mode: "off" }],
  ] as const)("try as often as they like %s", async (_, sandbox) => {
    const bench = await openBench({ sandbox, environment: { PATH: process.env["PATH"] } });
    const output = said(await bench.call("bash", { command: printed }));
    for (const name of Object.keys(variables)) expect(output).toContain(`${name}=\n`);
  });
});
