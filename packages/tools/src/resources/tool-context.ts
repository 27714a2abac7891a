/** Declares the context that tools written as plain functions get besides their arguments. */
import type { ToolContext as CallContext } from "@localharness/engine";
import type { ToolResources } from "./resources.ts";

export interface BenchContext extends CallContext {
  readonly resources: ToolResources;
}
