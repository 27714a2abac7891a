/** Checks files that were written by several processes at once, or by one that was killed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Checks, numberOf, textsOf } from "./check.ts";

export const storageChecks: Checks = {
  rules(seen, expected) {
    const count = numberOf(seen.found["rules"] ?? -1);
    return count === expected ? undefined : `expected ${expected} rules in the end, got ${count}`;
  },
  json_valid_always: (seen) =>
    seen.found["invalidReads"] === 0 && numberOf(seen.found["reads"] ?? 0) > 0
      ? undefined
      : `${seen.found["invalidReads"]} of ${seen.found["reads"]} reads were not valid JSON`,
  file_is_old_or_new: (seen) =>
    seen.found["mixed"] === 0 ? undefined : `${seen.found["mixed"]} files were neither old nor new`,
  no_temp_left: (seen) =>
    seen.found["temporaryFiles"] === 0
      ? undefined
      : `${seen.found["temporaryFiles"]} temporary files were left`,
  syscall_order_ok: (seen) =>
    seen.found["order"] === "ok"
      ? undefined
      : `expected the file to be synced, renamed, its folder synced: ${seen.found["order"]}`,
  resumed_messages: (seen, expected) =>
    seen.found["resumed"] === expected
      ? undefined
      : `expected ${expected} messages of the session, the model got ${seen.found["resumed"]}`,
  append_then_parse_ok: (seen) =>
    seen.found["appended"] === "whole" ? undefined : `appended: ${seen.found["appended"]}`,
  contains_seq(seen, expected) {
    const texts = textsOf(seen.found["texts"] ?? [], seen);
    const missing = textsOf(expected, seen).filter((seq) => !texts.includes(`m${seq}`));
    return missing.length === 0
      ? undefined
      : `expected messages ${missing.join(", ")}, got ${texts.join(" ")}`;
  },
  acknowledged_lost: (seen, expected) =>
    seen.found["acknowledgedLost"] === expected
      ? undefined
      : `${seen.found["acknowledgedLost"]} acknowledged records are lost`,
  no_interleave: (seen) =>
    seen.found["broken"] === 0 ? undefined : `${seen.found["broken"]} lines are not complete records`,
  no_silent_shift(seen) {
    const lines = readFileSync(join(seen.place.ws, "f.txt"), "utf8").trimEnd().split("\n");
    const untouched = ["1", "3", "4", "5", "6", "7", "9", "10"];
    const lost = untouched.filter((line) => !lines.includes(line));
    if (lost.length > 0) {
      return `lines outside the request were replaced: ${lost.join(", ")} of ${lines.join(" ")}`;
    }
    return lines.includes("X") === lines.includes("8")
      ? `expected exactly one of X and 8: ${lines.join(" ")}`
      : undefined;
  },
};
