/** Exports the sign-in at servers, for `localharness mcp login`. */
export type { RedirectListener } from "./flow.ts";
export { type SignInEnd, type SignInParts, signIn } from "./sign-in.ts";
export type { Challenge, Grant, SignIn, SignIns } from "./sign-ins.ts";
