/** Says in one sentence why a server could not be used, or why a call got no result. */
import { plainText, reasonOf } from "@localharness/protocol";
import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import type { Trouble } from "../transport/process-transport.ts";

const maxChars = 300;

/** Returns a text of another program on one line, without escape sequences, and cut to 300 characters. */
export function shortText(text: string): string {
  const line = plainText(text).replace(/\s+/g, " ").trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars).toWellFormed()}…`;
}

/** Returns the reason why the server cannot be used, without its name. `trouble` is what is known of its process. */
export function connectFailure(error: unknown, waitedMs: number, trouble: Trouble | undefined): string {
  if (asksForLogin(error)) return oauthText;
  const seconds = Math.round(waitedMs / 1000);
  const junk =
    trouble === undefined || trouble.junkLines === 0
      ? ""
      : `; it prints text on its standard output that is no MCP message (${trouble.junkLines} lines)`;
  if (trouble?.ended !== undefined && trouble.ended !== "it was ended") {
    return `${trouble.ended}${junk}${errorOutput(trouble)}`;
  }
  if (isTimeout(error)) return `it did not answer within ${seconds} s${junk}${errorOutput(trouble)}`;
  return `${reasonText(error)}${junk}${errorOutput(trouble)}`;
}

function errorOutput(trouble: Trouble | undefined): string {
  if (trouble === undefined || trouble.errors === "") return "";
  return `; its error output ends with: ${shortText(trouble.errors.slice(-maxChars))}`;
}

/**
 * The advice if a server asks for a sign-in. OAuth is not part of this version, but a token in the headers of the entry
 * works.
 */
const oauthText =
  'it asks for a sign-in (OAuth), which is not supported yet. If the service gives out tokens, put one into the entry: "headers": {"Authorization": "Bearer ..."}';

/** Returns true if the server refuses the request until somebody signs in. */
export function asksForLogin(error: unknown): boolean {
  if (error instanceof UnauthorizedError) return true;
  return error instanceof SdkHttpError && error.data.status === 401;
}

export function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

export function isClosed(error: unknown): boolean {
  return (
    error instanceof SdkError &&
    [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed].includes(error.code)
  );
}

/** Returns true if the server itself answered with an error. */
export function isAnswered(error: unknown): boolean {
  return error instanceof ProtocolError;
}

/**
 * Returns the message of an error on one line. If a request failed, the message includes the HTTP status or the cause.
 */
export function reasonText(error: unknown): string {
  if (asksForLogin(error)) return oauthText;
  const status = error instanceof SdkHttpError ? ` (HTTP status ${error.status})` : "";
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return shortText(`${reasonOf(error)}${status}${cause}`);
}
