/** Says in one sentence why a server could not be used, or why a call got no result. */
import { countText, reasonOf } from "@localharness/protocol";
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import type { ServerEntry } from "../config/entry.ts";
import { asksForSignIn, signInText } from "../sign-in/sign-in-needed.ts";
import type { Trouble } from "../transport/process-transport.ts";
import { maxShortChars, shortText } from "./short-text.ts";

/** Returns the reason why the server cannot be used, without its name. `trouble` is what is known of its process. */
export function connectFailure(
  error: unknown,
  entry: ServerEntry,
  waitedMs: number,
  trouble: Trouble | undefined,
): string {
  if (asksForSignIn(error)) return signInText(error, entry);
  const seconds = Math.round(waitedMs / 1000);
  const junk =
    trouble === undefined || trouble.junkLines === 0
      ? ""
      : `; it prints text on its standard output that is no MCP message (${countText(trouble.junkLines, "line")})`;
  if (trouble?.ended !== undefined && trouble.ended !== "it was ended") {
    return `${trouble.ended}${junk}${errorOutput(trouble)}`;
  }
  if (isTimeout(error)) return `it did not answer within ${seconds} s${junk}${errorOutput(trouble)}`;
  return `${reasonText(error, entry)}${junk}${errorOutput(trouble)}`;
}

function errorOutput(trouble: Trouble | undefined): string {
  if (trouble === undefined || trouble.errors === "") return "";
  return `; its error output ends with: ${shortText(trouble.errors.slice(-maxShortChars))}`;
}

export function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

/** Returns the time limit of the request that timed out, in milliseconds; undefined for an error that does not tell it. */
export function exceededMs(error: unknown): number | undefined {
  if (!(error instanceof SdkError)) return undefined;
  const { timeout } = (error.data ?? {}) as { readonly timeout?: unknown };
  return typeof timeout === "number" ? timeout : undefined;
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
 * Returns the message of an error on one line, with the HTTP status and the cause if there are any. If the server asks for a
 * sign-in, the message tells the person how to sign in.
 */
export function reasonText(error: unknown, entry: ServerEntry): string {
  if (asksForSignIn(error)) return signInText(error, entry);
  const status = error instanceof SdkHttpError ? ` (HTTP status ${error.status})` : "";
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return shortText(`${reasonOf(error)}${status}${cause}`);
}
