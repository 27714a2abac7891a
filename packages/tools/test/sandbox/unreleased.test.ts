/** A server or a hook in the sandbox that leaves something that cannot be released ends with the reason, and never fails otherwise. */
import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runHelper } from "@localharness/processes/helpers/run-helper";
import { runServer } from "@localharness/processes/helpers/run-server";
import { sandboxState } from "@localharness/processes/sandbox/sandbox-status";
import { describe, expect, test } from "vitest";
import { openBench } from "../bench.ts";

const state = sandboxState("auto");
const said = /its sandbox was not released: the index .* cannot be read/;
const breaking = ["-c", "echo broken > .git/index"];

describe.skipIf(state.kind !== "on")("what breaks the index of the repository", () => {
  const prepared = async () => {
    const bench = await openBench({ sandbox: { mode: "require" } });
    execFileSync("git", ["init", "-q", "."], { cwd: bench.root });
    return bench;
  };

  test("as a server", async () => {
    const { resources } = await prepared();
    const silent = () => undefined;
    const server = await runServer(resources, {
      ...{ command: "/bin/sh", args: breaking, environment: {}, sandboxed: true },
      ...{ signal: new AbortController().signal, onOutput: silent, onErrorOutput: silent },
    });
    expect(await server.ended).toMatch(/^it ended with exit code 0; /);
    expect(await server.ended).toMatch(said);
    await expect(server.write("x")).rejects.toThrow(said);
  });

  test("as a hook", async () => {
    const { resources, root } = await prepared();
    const request = { program: "/bin/sh", args: breaking, input: "", timeoutMs: 20_000, confined: true };
    const end = await runHelper(resources, { ...request, signal: new AbortController().signal });
    expect(end).toMatchObject({ end: { kind: "exited", code: 0 }, errors: expect.stringMatching(said) });
    expect(existsSync(join(root, ".envrc"))).toBe(false);
    rmSync(join(root, ".git/index"));
  });
});
