/** Starts a child process. */
import type { ChildProcess, SpawnOptions } from "node:child_process";
import { errorCode } from "@localharness/workspace/outcome";
import type { StartCommand } from "./start-command.ts";

/**
 * Resolves to the child, or to the error code if it could not be started: Node reports some errors as an event of the child, and
 * throws others, such as `E2BIG`. Never rejects.
 */
export async function startChild(
  { program, args }: StartCommand,
  options: SpawnOptions,
): Promise<ChildProcess | string> {
  const { spawn } = await import("node:child_process");
  try {
    const child = spawn(program, [...args], options);
    if (child.pid === undefined) {
      return await new Promise((resolve) => child.once("error", (error) => resolve(errorCode(error))));
    }
    child.on("error", () => {});
    return child;
  } catch (error) {
    return errorCode(error);
  }
}
