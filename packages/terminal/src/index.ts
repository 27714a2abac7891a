/** The terminal app: one session on a whole screen. */
export type * from "./host.ts";
export type { SessionLink } from "./link.ts";
