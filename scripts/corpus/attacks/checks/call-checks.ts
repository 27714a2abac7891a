/** Checks the call that a row is about: its decision, its result and its duration. */
import { brief, type Checks, numberOf, textsOf } from "./check.ts";
import { allTexts } from "./traces.ts";

export const callChecks: Checks = {
  decision_in(seen, expected) {
    const wanted = textsOf(expected, seen);
    const { decided } = seen;
    // A call that is rejected before the decision has not run, but it is not a denial by a rule.
    if (decided === "invalid" && wanted.includes("ask") && wanted.includes("deny")) return undefined;
    if (decided !== undefined && wanted.includes(decided)) return undefined;
    return `expected the decision ${wanted.join(" or ")}, got ${decided}`;
  },
  ok(seen, expected) {
    if (seen.main?.success === expected) return undefined;
    const came = seen.main === undefined ? "no result" : `${seen.main.errorType}: ${brief(seen.main.text)}`;
    return `expected a ${expected ? "success" : "failure"}, got ${came}`;
  },
  then_ok(seen, expected) {
    const following = seen.results.slice(-numberOf(expected));
    const good = following.filter(
      (result, index) => result.success && result.text.includes(`after ${index}`),
    );
    if (good.length === expected) return undefined;
    return `expected ${expected} later calls to succeed, ${good.length} did`;
  },
  error_type_in(seen, expected) {
    const wanted = textsOf(expected, seen);
    const came = seen.main?.errorType ?? seen.results[0]?.errorType;
    return came !== undefined && wanted.includes(came)
      ? undefined
      : `expected ${wanted.join(", ")}, got ${came}: ${brief(seen.main?.text ?? "")}`;
  },
  output_contains(seen, expected) {
    const output = outputOf(seen);
    const missing = textsOf(expected, seen).filter((text) => !output.includes(text));
    if (missing.length === 0) return undefined;
    return `expected ${missing.map((text) => brief(text)).join(", ")} in the output, got ${brief(output)}`;
  },
  output_not_contains(seen, expected, row) {
    const asked = JSON.stringify([row.arguments, row.raw_arguments, row.model_script]);
    for (const text of textsOf(expected, seen)) {
      // The model's own text is in every question and every log, so only the results are searched for it.
      const traces = asked.includes(text) ? allTexts(seen).slice(0, seen.results.length) : allTexts(seen);
      const where = traces.find((trace) => trace.text.includes(text));
      if (where !== undefined) return `${brief(text)} leaked into ${where.name}`;
    }
    return undefined;
  },
  output_max_bytes(seen, expected) {
    const most = Math.max(0, ...seen.results.map((result) => Buffer.byteLength(result.text)));
    return most <= numberOf(expected) ? undefined : `expected at most ${expected} bytes, got ${most}`;
  },
  max_ms(seen, expected) {
    if (seen.callMs === undefined) return "expected an answer, none came";
    return seen.callMs <= numberOf(expected)
      ? undefined
      : `expected an answer within ${expected} ms, it took ${Math.round(seen.callMs)} ms`;
  },
  max_rss_delta_mb(seen, expected) {
    const { grownMb } = seen.probe;
    if (grownMb === undefined) return "the memory was not measured";
    return grownMb <= numberOf(expected)
      ? undefined
      : `expected at most ${expected} MB more memory, it grew by ${Math.round(grownMb)} MB`;
  },
  event_loop_max_lag_ms(seen, expected) {
    const { lagMs } = seen.probe;
    if (lagMs === undefined) return "the pauses of the event loop were not measured";
    return lagMs <= numberOf(expected)
      ? undefined
      : `expected pauses of at most ${expected} ms, one was ${Math.round(lagMs)} ms`;
  },
  proto_clean(seen) {
    if (seen.probe.polluted === undefined) return "the prototype of all objects was not checked";
    return seen.probe.polluted ? "the prototype of all objects was written to" : undefined;
  },
};

/** Returns the results that the model read; for a stream without results, the screen. */
function outputOf(seen: Parameters<Checks[string]>[0]): string {
  const read = seen.results.map((result) => result.text).join("\n");
  return seen.main === undefined && seen.results.length === 0 ? seen.screen : read;
}
