/** Checks what the sockets of `localharness serve` answered, and what its pages did. */
import { RowError } from "../row-error.ts";
import { brief, type Checks, textsOf } from "./check.ts";

export const networkChecks: Checks = {
  http_status_in(seen, expected) {
    const { status } = seen.found;
    const wanted = textsOf(expected, seen);
    if (status === undefined) return `expected the status ${wanted.join(" or ")}, no answer came`;
    return wanted.includes(String(status))
      ? undefined
      : `expected the status ${wanted.join(" or ")}, got ${status}`;
  },
  header_absent(seen, expected) {
    const headers = textsOf(seen.found["headers"] ?? [], seen);
    if (seen.found["status"] === undefined) return "no answer came";
    const there = textsOf(expected, seen).filter((name) => headers.includes(name.toLowerCase()));
    return there.length === 0 ? undefined : `the answer has the header ${there.join(", ")}`;
  },
  body_not_contains(seen, expected) {
    const body = String(seen.found["body"] ?? "");
    const there = textsOf(expected, seen).filter((text) => body.includes(text));
    return there.length === 0
      ? undefined
      : `the answer contains ${there.map((text) => brief(text)).join(", ")}`;
  },
  no_side_effect(seen) {
    if (typeof seen.found["sideEffect"] !== "boolean") throw new RowError("no_side_effect: no driver looked");
    return seen.found["sideEffect"] ? "the sessions of the server changed" : undefined;
  },
  ws_close_in(seen, expected) {
    const { closeCode } = seen.found;
    return textsOf(expected, seen).includes(String(closeCode))
      ? undefined
      : `expected the close code ${textsOf(expected, seen).join(" or ")}, got ${closeCode}`;
  },
  no_script_executed(seen) {
    const { executed } = seen.found;
    if (typeof executed !== "string") throw new RowError("no_script_executed: no page was opened");
    return executed === "" ? undefined : `the page ran ${brief(executed)}`;
  },
};
