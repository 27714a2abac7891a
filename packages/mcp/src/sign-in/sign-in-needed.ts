/** The error of a request that a server refuses until the person signs in. */
import { InsufficientScopeError, SdkHttpError, UnauthorizedError } from "@modelcontextprotocol/client";
import type { ServerEntry } from "../config/entry.ts";

/** Is thrown instead of a sign-in in the middle of a session, where nobody may be there to do it. */
export class SignInNeeded extends UnauthorizedError {
  constructor() {
    super("a sign-in is needed");
    this.name = "SignInNeeded";
  }
}

/** Returns true if the server refuses the request until somebody signs in, or signs in again with more rights. */
export function asksForSignIn(error: unknown): boolean {
  if (error instanceof UnauthorizedError || error instanceof InsufficientScopeError) return true;
  return error instanceof SdkHttpError && error.data.status === 401;
}

/** Returns what the person can do, without the name of the server at the beginning. */
export function signInText(error: unknown, entry: ServerEntry): string {
  if (hasOwnToken(entry)) return "it refuses the Authorization header of its entry (HTTP status 401)";
  const command = `localharness mcp login ${entry.name}`;
  return error instanceof InsufficientScopeError
    ? `it asks for more rights than your sign-in has; sign in again with: ${command}`
    : `it asks you to sign in, with: ${command}`;
}

/** Returns true if the entry has a token in its headers, in place of a sign-in. */
export function hasOwnToken(entry: ServerEntry): boolean {
  return entry.kind === "address" && Object.keys(entry.headers).some((name) => /^authorization$/i.test(name));
}
