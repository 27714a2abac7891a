/** The result of one tool call: the JSON in the tool message that the model reads. Its key names never change. */

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
  /** Milliseconds that the tool ran; 0 when it never started. */
  readonly execution_time_ms: number;
  /** UTF-8 bytes of `data`; 0 when `data` is null. */
  readonly data_size_bytes: number;
  /** Unix milliseconds at which the result was created. */
  readonly timestamp: number;
}

export interface ToolResult {
  readonly success: boolean;
  readonly data: string | null;
  readonly error_message: string | null;
  readonly error_type: ToolErrorType;
  readonly metadata: ToolResultMetadata;
  /** Notes of the harness for the model: repairs made, limits reached, duplicate calls. Absent when there are none. */
  readonly notes?: readonly string[];
}
