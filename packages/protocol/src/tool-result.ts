/** The result of one tool call, as JSON in the tool message that the model reads. Its names never change. */

export type ToolErrorType =
  | "none"
  | "not_found"
  | "validation_failed"
  | "permission_denied"
  | "io_error"
  | "parse_error"
  | "internal_error"
  | "timeout"
  | "cancelled";

export interface ToolResultMetadata {
  /** Milliseconds that the tool ran, 0 when it never started. */
  readonly execution_time_ms: number;
  /** UTF-8 bytes of `data`, 0 when there is none. */
  readonly data_size_bytes: number;
  /** Unix time in milliseconds at which the result was made. */
  readonly timestamp: number;
}

export interface ToolResult {
  readonly success: boolean;
  readonly data: string | null;
  readonly error_message: string | null;
  readonly error_type: ToolErrorType;
  readonly metadata: ToolResultMetadata;
  /** What the harness adds for the model: repairs made, limits reached, repeated calls. Absent when there is nothing. */
  readonly notes?: readonly string[];
}
