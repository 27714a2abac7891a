/** The one error that is thrown, at start, for a mistake in configuration or code. */
export type HarnessErrorCode =
  | "tool-name-taken"
  | "tool-unknown"
  | "tool-invalid"
  | "schema-invalid"
  | "config-invalid"
  | "conversation-invalid"
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

/** A mistake on the command line, or in what a face asks for (`usage`). */
export function usageError(message: string, cause?: unknown): HarnessError {
  return new HarnessError("usage", message, cause === undefined ? undefined : { cause });
}

/** A mistake in a file or variable of the person's configuration (`config-invalid`). */
export function configError(message: string, cause?: unknown): HarnessError {
  return new HarnessError("config-invalid", message, cause === undefined ? undefined : { cause });
}
