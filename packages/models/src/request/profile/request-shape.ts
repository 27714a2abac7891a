/**
 * Writes the requests of one model as its server takes them. Changes the form of the history and of the tools after refusals, and
 * keeps what helped.
 */
import type { ModelRequest } from "@localharness/engine";
import type { ModelFailure } from "../../answer/failure.ts";
import { createToolSieve, namesTools } from "../offered/tool-sieve.ts";
import type { Habit } from "./habits.ts";
import { createHistoryLadder, type HistoryLadder } from "./history-ladder.ts";
import { declinesTools, type ModelProfile } from "./model-profile.ts";

/** Sends a body only to learn whether the server takes it; see `AskServer`. */
export type AskBody = (body: string) => Promise<boolean | undefined>;

export interface RequestShape extends Pick<HistoryLadder, "reported"> {
  body(request: ModelRequest): string;
  declines(request: ModelRequest): ModelFailure | undefined;
  taken(request: ModelRequest): void;
  /** Chooses another form after a refusal, and resolves to a notice about it; to undefined if there is none left. */
  adapt(failure: ModelFailure, request: ModelRequest, ask: AskBody): Promise<string | undefined>;
  /** As `adapt`, for a failure of the server that came again with each try. */
  lastResort(failure: ModelFailure, request: ModelRequest, ask: AskBody): Promise<string | undefined>;
}

export interface ShapeParts {
  readonly profile: ModelProfile;
  readonly model: string;
  /** Writes the body of a request. `habits` is what is known of the model's template. */
  write(request: ModelRequest, habits: ReadonlySet<Habit>): string;
}

/** A question that needs no thought, to try tools with. */
const question: ModelRequest["messages"] = [{ role: "user", content: "Hi", from: "harness" }];

export function createRequestShape({ profile, model, write }: ShapeParts): RequestShape {
  const ladder = createHistoryLadder(profile);
  const sieve = createToolSieve();
  const written = (request: ModelRequest, habits: ReadonlySet<Habit>) =>
    write({ ...request, tools: sieve.sent(request.tools) }, habits);

  async function siftTools(
    failure: ModelFailure,
    request: ModelRequest,
    ask: AskBody,
  ): Promise<string | undefined> {
    const sifted = await sieve.sift(failure, request.tools, (tools) =>
      ask(write({ messages: question, tools }, profile.habits)),
    );
    if (sifted.kind === "told") return sifted.notice;
    return sifted.kind === "none" ? ladder.describeTools(failure, request) : undefined;
  }

  return {
    body: (request) => written(request, ladder.habits(request)),
    declines: (request) => declinesTools(ladder.habits(request), request, model),
    reported: ladder.reported,
    taken(request) {
      ladder.taken(request);
      sieve.taken(request.tools);
    },
    async adapt(failure, request, ask) {
      const isSuspect = sieve.isSuspect(failure, request);
      const step = (mayDescribe: boolean) =>
        ladder.next(failure, request, (habits) => written(request, habits), mayDescribe);
      if (!isSuspect) return step(true);
      const isAbout = namesTools(failure);
      if (!isAbout && failure.code !== "bad-request") return undefined;
      const sifted = isAbout ? await siftTools(failure, request, ask) : undefined;
      const plainer = sifted ?? step(false);
      if (plainer !== undefined) return plainer;
      return (isAbout ? undefined : await siftTools(failure, request, ask)) ?? step(true);
    },
    async lastResort(failure, request, ask) {
      return sieve.isSuspect(failure, request) ? siftTools(failure, request, ask) : undefined;
    },
  };
}
