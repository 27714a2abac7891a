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
