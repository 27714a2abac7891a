/** Exports the link to a folder that another machine lends: its tools and files over one connection. */
export type { Frames } from "../transport/frame-transport.ts";
export { type LentTool, type Link, type LinkCall, type LinkEnd, type LinkParts, openLinkTo } from "./link.ts";
