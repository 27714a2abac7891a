/** Checks a turn whose model misbehaves: that it ends, how it ends, and that the session continues. */
import { isJsonObject } from "@localharness/protocol";
import { listOf, type Observation } from "../observation.ts";
import { brief, type Checks, numberOf, textsOf } from "./check.ts";

export const turnChecks: Checks = {
  alive(seen) {
    const { code, signal, hung } = seen.ended;
    if (hung) return "the program hung";
    return code === 0 ? undefined : `the program ended with ${signal ?? code}: ${brief(seen.errors)}`;
  },
  ws_close_in(seen, expected) {
    const code = seen.found["wsClose"];
    const right = Array.isArray(expected) && expected.includes(code ?? null);
    return right
      ? undefined
      : `expected the connection to be closed with ${brief(JSON.stringify(expected))}, got ${code}`;
  },
  ends_within_ms(seen, expected) {
    if (seen.turnMs === undefined) return "the turn did not end";
    return seen.turnMs <= numberOf(expected)
      ? undefined
      : `expected the turn to end within ${expected} ms, it took ${Math.round(seen.turnMs)} ms`;
  },
  session_usable(seen) {
    return seen.found["usable"] === true ? undefined : "the next message was not answered";
  },
  turn_status_in(seen, expected) {
    const wanted = textsOf(expected, seen);
    const came = textsOf(seen.found["status"] ?? [], seen);
    return came.some((status) => wanted.includes(status))
      ? undefined
      : `expected ${wanted.join(" or ")}, the turn was ${came.join(", ") || "neither"}`;
  },
  tool_executed(seen, expected) {
    const ran = seen.started.length > 0;
    return ran === expected
      ? undefined
      : `expected ${expected ? "a" : "no"} tool to run, got ${seen.started.join(", ")}`;
  },
  max_attempts(seen, expected) {
    const count = seen.requests.length - numberOf(seen.found["furtherRequests"] ?? 0);
    return count <= numberOf(expected) ? undefined : `expected at most ${expected} requests, got ${count}`;
  },
  max_repeats(seen, expected) {
    const count = seen.started.length;
    return count <= numberOf(expected)
      ? undefined
      : `expected the call at most ${expected} times, it ran ${count} times`;
  },
  min_gap_ms(seen, expected) {
    const times = seen.requests.map((request) => request.arrivedAt);
    const tries = times.slice(0, times.length - numberOf(seen.found["furtherRequests"] ?? 0));
    const gaps = tries.slice(1).map((time, index) => time - (tries[index] ?? time));
    const least = Math.min(...gaps);
    if (gaps.length === 0) return "there was no second attempt";
    return least >= numberOf(expected)
      ? undefined
      : `expected ${expected} ms between attempts, got ${Math.round(least)}`;
  },
  message_contains(seen, expected) {
    const missing = textsOf(expected, seen).filter((text) => !seen.screen.includes(text));
    return missing.length === 0 ? undefined : `expected ${missing.join(", ")} in the message to the person`;
  },
  sink_not_contains(seen, expected) {
    const heard = String(seen.found["sink"] ?? "");
    const found = textsOf(expected, seen).filter((text) => heard.includes(text));
    return found.length === 0 ? undefined : `${found.join(", ")} was sent to another server`;
  },
  sink_connections(seen, expected) {
    const count = numberOf(seen.found["sinkConnections"] ?? 0);
    return count === expected
      ? undefined
      : `expected ${expected} connections to another server, got ${count}`;
  },
  results_match_calls: (seen) => unmatched(seen),
  repaired(seen) {
    return seen.found["format"] === undefined
      ? "expected a call found in text, marked with its format"
      : unmatched(seen);
  },
  session_lines_are_json(seen) {
    const broken = seen.screen
      .split("\n")
      .filter((line) => line !== "")
      .find((line) => !isEvent(line));
    return broken === undefined ? undefined : `a line is not an event: ${brief(broken)}`;
  },
  // The program was started with the values of this check.
  config: (seen) => (seen.found["configured"] === true ? undefined : "the limits of the row were not set"),
};

/** Checks that the history has as many calls as were accepted, each with a unique id and exactly one result. */
function unmatched(seen: Observation): string | undefined {
  const expected = numberOf(seen.found["calls"] ?? 1);
  const count = listOf(seen.requests.at(-1)?.body["messages"]).flatMap((one) =>
    listOf(one["tool_calls"]),
  ).length;
  return count === expected ? openOrMixed(seen) : `expected ${expected} calls in the history, got ${count}`;
}

/** Checks that each call in the history of the last request has a unique id and exactly one result. */
export function openOrMixed(seen: Observation): string | undefined {
  if (seen.requests.length === 0) return "the model was not asked";
  const messages = listOf(seen.requests.at(-1)?.body["messages"]);
  const ids = messages.flatMap((message) => listOf(message["tool_calls"]).map((call) => String(call["id"])));
  const answered = messages
    .filter((message) => message["role"] === "tool")
    .map((one) => String(one["tool_call_id"]));
  if (new Set(ids).size !== ids.length) return `calls share an id: ${ids.join(", ")}`;
  return ids.toSorted().join() === answered.toSorted().join()
    ? undefined
    : `calls ${ids.join(", ")} have the results of ${answered.join(", ")}`;
}

function isEvent(line: string): boolean {
  try {
    return isJsonObject(JSON.parse(line));
  } catch {
    return false;
  }
}
