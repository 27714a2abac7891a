/** Releases what a command in the sandbox holds, after it has ended. */
import { reasonOf } from "@localharness/protocol";
import type { SandboxedCommand } from "./sandbox.ts";

/** Releases the sandbox of a command. Returns a sentence with the reason if that fails; else undefined. */
export function release(started: SandboxedCommand): string | undefined {
  try {
    started.done();
    return undefined;
  } catch (error) {
    return `its sandbox was not released: ${reasonOf(error)}`;
  }
}
