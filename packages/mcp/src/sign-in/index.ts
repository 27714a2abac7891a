/** Exports the sign-in at servers, for `localharness mcp login`. */
export type { RedirectListener } from "./flow.ts";
export { type SignInEnd, type SignInParts, signIn } from "./sign-in.ts";
export type { Grant, SignIn, SignInChallenge, SignIns } from "./sign-ins.ts";
