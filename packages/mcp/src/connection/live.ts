/** Exports what needs the MCP library. It is loaded when the first server starts, not with the first prompt. */
export { InsufficientScopeError } from "@modelcontextprotocol/client";
export { keepChallenge } from "../sign-in/keep-challenge.ts";
export { serverAuth } from "../sign-in/server-auth.ts";
export { asksForSignIn, hasOwnToken, signInText } from "../sign-in/sign-in-needed.ts";
export { openConnection } from "./connection.ts";
export { exceededMs, isAnswered, isTimeout, reasonText } from "./failure-text.ts";
export { isSessionLost } from "./lost-session.ts";
