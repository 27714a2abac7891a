/** The two mistakes a person can make before anything runs; both end with exit code 2. */
import { HarnessError } from "@localharness/engine";

/** The command line asks for something that is not there. */
export function usageError(message: string, cause?: unknown): HarnessError {
  return new HarnessError("usage", message, cause === undefined ? undefined : { cause });
}

/** A file or variable of the person's own configuration is wrong. */
export function configError(message: string, cause?: unknown): HarnessError {
  return new HarnessError("config-invalid", message, cause === undefined ? undefined : { cause });
}

/** The message of whatever was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
