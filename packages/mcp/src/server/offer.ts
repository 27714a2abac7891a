/** Declares what the MCP server offers to its clients. The harness implements it with the tools of a workspace. */
import type { JsonObject, PermissionAnswer, PermissionRequest, ToolResult } from "@localharness/protocol";

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly readOnly: boolean;
}

/** Asks the person who uses the client. Resolves to `deny` if there is no valid answer, or if `signal` aborts first. */
export type AskClient = (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>;

/** The signal for the work on a client's request, and the ways to reach the client. */
export interface Access {
  readonly signal: AbortSignal;
  /** Asks the person who uses the client; absent if the client cannot do that. */
  readonly ask?: AskClient;
  /** Sends progress to the client. */
  report?(text: string): void;
  /** The identity of the call; only for a call of this program on another machine. */
  readonly call?: SentCallMark;
}

/** Identifies a call that a client may send again after its connection broke. It runs at most once. */
export interface SentCallMark {
  /** The random id of the sender, `:`, and the number of the call. */
  readonly id: string;
  /** The session and the turn of the sender. */
  readonly session: string;
  readonly turn: string;
}

export interface Offer {
  /** The real path of the workspace. */
  readonly root: string;
  tools(): readonly OfferedTool[];
  /** Resolves to the result of the call. Never rejects because of what a tool does. */
  call(name: string, args: JsonObject, access: Access): Promise<ToolResult>;
  /** Resolves to the paths, relative to the workspace, of all files that the client may read, or to a failed result. */
  list(access: Access): Promise<readonly string[] | ToolResult>;
  /** Resolves to the bytes of a file, or to a failed result. */
  read(path: string, access: Access): Promise<Uint8Array | ToolResult>;
  /** Answers requests that are not part of MCP, by their method. */
  readonly extras?: Readonly<Record<string, (params: JsonObject) => Promise<JsonObject>>>;
  /** Masks known secrets in a text. */
  mask(text: string): string;
}
