/** The codes of `HarnessError`, which reports a mistake in configuration, on the command line or in code. */
export type HarnessErrorCode =
  | "tool-name-taken"
  | "tool-unknown"
  | "tool-invalid"
  | "schema-invalid"
  | "config-invalid"
  | "transcript-invalid"
  | "session-busy"
  | "session-closed"
  | "model-unknown"
  | "usage";

export class HarnessError extends Error {
  readonly code: HarnessErrorCode;

  constructor(code: HarnessErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "HarnessError";
    this.code = code;
  }
}

/** Returns the error for a mistake on the command line or in a request of a user interface (`usage`). */
export function usageError(message: string, cause?: unknown): HarnessError {
  return new HarnessError("usage", message, cause === undefined ? undefined : { cause });
}

/** Returns the error for a mistake in the person's configuration (`config-invalid`). */
export function configError(message: string, cause?: unknown): HarnessError {
  return new HarnessError("config-invalid", message, cause === undefined ? undefined : { cause });
}
