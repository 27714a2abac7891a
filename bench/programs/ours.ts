/** Builds Local Harness when the build is missing or older than the sources, and starts it as a person would. */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, statSync } from "node:fs";
import { join } from "node:path";
import { modelName } from "../fake-model/catalog.ts";
import type { Program, SelfDescription } from "./program.ts";

const root = join(import.meta.dirname, "..", "..");
const built = join(root, "dist/cli/bin/localharness");
const sources = [
  "packages/*/src/**/*",
  "packages/*/package.json",
  "bin/*",
  "scripts/build.ts",
  "package-lock.json",
];

/** The limit of iterations, which is more than the longest scenario needs. */
const iterations = 60;

/** Builds the program if necessary, and returns the command that starts it. */
export function buildLocalHarness(note: (line: string) => void): readonly string[] {
  if (isStale()) {
    note("Building dist/cli.");
    execFileSync(process.execPath, [join(root, "scripts/build.ts")], {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  return [process.execPath, built];
}

function isStale(): boolean {
  if (!existsSync(built)) return true;
  const builtAt = statSync(built).mtimeMs;
  return globSync(sources, { cwd: root }).some((file) => statSync(join(root, file)).mtimeMs > builtAt);
}

export type ToolSet = "minimal" | "standard" | "all";
export const toolSets: readonly ToolSet[] = ["minimal", "standard", "all"];

/** Returns the program to measure. `command` starts it, built or from the sources. */
export function localHarness(
  command: readonly string[],
  wire: "openai" | "ollama",
  tools: ToolSet = "standard",
): Program {
  return {
    name: `localharness, ${wire}`,
    kind: "ours",
    wire,
    absolutePaths: false,
    prompt: ({ prompt, serverUrl, workspace }) => {
      const server = ["--provider", wire, "--base-url", wire === "openai" ? `${serverUrl}/v1` : serverUrl];
      const limits = ["--iterations-per-turn", String(iterations)];
      const rest = [
        "--model",
        modelName,
        "--mode",
        "bypass",
        "--workspace",
        workspace,
        "--tools",
        tools,
        ...limits,
      ];
      const [file = process.execPath, ...args] = command;
      return { file, args: [...args, "-p", ...server, ...rest, prompt] };
    },
  };
}

export function localHarnessItself(command: readonly string[]): SelfDescription {
  const [file = process.execPath, ...args] = command;
  return {
    name: "localharness",
    version: { file, args: [...args, "--version"] },
    help: { file, args: [...args, "--help"] },
  };
}
