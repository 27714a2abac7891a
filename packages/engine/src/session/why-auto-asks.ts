/** Says why the mode `auto` asks about commands, or changes nothing, in a folder. */
import type { SessionOptions } from "./session-options.ts";

/** Returns the reason in words; undefined if a sandbox confines commands, which then run without a question. */
export function whyAutoAsks({
  freedoms,
  trusted = true,
}: Pick<SessionOptions, "freedoms" | "trusted">): string | undefined {
  if (freedoms?.confined === true) return undefined;
  return trusted
    ? "no sandbox confines commands here, so commands ask"
    : "this folder is not trusted, so nothing is changed or run in it";
}
