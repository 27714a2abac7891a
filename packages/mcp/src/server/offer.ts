/** Declares what the MCP server offers to its clients. The harness implements it with the tools of a workspace. */
import type { JsonObject, PermissionAnswer, PermissionRequest, ToolResult } from "@localharness/protocol";

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly readOnly: boolean;
}

/** Asks the person of the client. An answer holds for this very request. */
export type AskClient = (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>;

/** The surroundings of one request of a client. */
export interface Access {
  readonly signal: AbortSignal;
  /** Absent if the client cannot ask its person. */
  readonly ask?: AskClient;
  /** Shows the client the progress. */
  report?(text: string): void;
}

export interface Offer {
  /** The real path of the workspace. */
  readonly root: string;
  tools(): readonly OfferedTool[];
  /** Resolves to the result of the call. Never rejects for what a tool does. */
  call(name: string, args: JsonObject, access: Access): Promise<ToolResult>;
  /** Resolves to the paths of all files that the client may read, relative to the workspace; or to a failed result. */
  list(access: Access): Promise<readonly string[] | ToolResult>;
  /** Resolves to the bytes of a file, or to a failed result. */
  read(path: string, access: Access): Promise<Uint8Array | ToolResult>;
  /** Masks known secrets in a text. */
  mask(text: string): string;
}
