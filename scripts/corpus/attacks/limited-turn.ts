/** Runs one turn in this process, with time limits that the command line does not offer. */
import { createRegistry, createSession } from "@localharness/engine";
import { createModel } from "@localharness/models";
import type { JsonObject } from "@localharness/protocol";
import { emptyObservation, type Observation } from "./observation.ts";
import type { Place } from "./place.ts";

/** Returns true for a limit that only `limitedTurn` can set so exactly. */
export function isTurnLimit(name: string): boolean {
  return name === "header_timeout_ms" || name === "idle_timeout_ms";
}

export async function limitedTurn(
  place: Place,
  baseUrl: string,
  config: JsonObject,
  limitMs: number,
): Promise<Observation> {
  const limits = {
    ...(typeof config["header_timeout_ms"] === "number" ? { firstTokenMs: config["header_timeout_ms"] } : {}),
    ...(typeof config["idle_timeout_ms"] === "number" ? { betweenTokensMs: config["idle_timeout_ms"] } : {}),
  };
  const selected = await createModel({
    provider: "custom",
    model: "fake-model",
    baseUrl,
    environment: {},
    limits,
  });
  const session = createSession({
    model: selected.model,
    registry: createRegistry([]),
    systemPrompt: "",
    workspace: place.ws,
    interactive: false,
  });
  const startedAt = performance.now();
  const timer = setTimeout(() => session.send({ type: "interrupt" }), limitMs);
  const end = await session.prompt("go");
  clearTimeout(timer);
  const turnMs = performance.now() - startedAt;
  const asExpected = end.reason === "error" && end.retryable === true;
  return {
    ...emptyObservation(place),
    turnMs,
    screen: end.message ?? "",
    ended: { code: 0, signal: null, hung: end.reason === "interrupted" },
    found: { configured: Object.keys(limits).length > 0 },
    problems: asExpected ? [] : [`expected a retryable error, the turn ended with ${end.reason}`],
  };
}
