/**
 * Runs the recorded cases about answers: outdated answers, answers from another session, and a person who leaves an
 * open question.
 */
import { join } from "node:path";
import type { Session } from "@localharness/engine";
import type { PermissionAnswer, SessionEvent } from "@localharness/protocol";
import { compose } from "localharness";
import { givenAnswer } from "./answer.ts";
import { chat } from "./chat.ts";
import type { DriveOptions } from "./drive-call.ts";
import { fillObject, fillText } from "./fill.ts";
import { callsReply, startModelServer, textReply } from "./model-server.ts";
import { emptyObservation, type Observation, resultsOf } from "./observation.ts";
import { makePlace, type Place } from "./place.ts";
import type { Row } from "./row.ts";

export async function driveAnswers<Result>(
  row: Row,
  options: DriveOptions,
  look: (seen: Observation) => Promise<Result>,
): Promise<Result> {
  using place = makePlace(row.setup);
  const attack = {
    name: "bash",
    argumentsText: JSON.stringify(fillObject(row.arguments ?? {}, place.values)),
  };
  const answer = typeof row.answer === "object" ? row.answer : {};
  if (answer.disconnect === true) return await look(await leaves(place, options, attack));
  const sent = { word: givenAnswer(row) ?? "session", id: fillText(answer.approval_id ?? "", place.values) };
  return await look(await sendsForeignAnswer(place, attack, sent, answer.session !== undefined));
}

interface Call {
  readonly name: string;
  readonly argumentsText: string;
}

/** Closes the program's input while a question is open. */
async function leaves(place: Place, options: DriveOptions, attack: Call): Promise<Observation> {
  await using server = await startModelServer((_request, count) =>
    count === 0 ? callsReply([attack]) : textReply("Done."),
  );
  const run = await chat({
    ...options,
    place,
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    messages: ["go"],
    answer: () => "nothing",
  });
  const [result] = resultsOf(server.seen);
  const leftAt = run.asked[0]?.answeredAt ?? 0;
  const tookMs = (server.seen[1]?.arrivedAt ?? Number.POSITIVE_INFINITY) - leftAt;
  const problems = [
    ...(run.asked.length === 1 ? [] : [`expected one question, there were ${run.asked.length}`]),
    ...(result?.errorType === "permission_denied"
      ? []
      : [`expected a denied call, got ${result?.errorType}`]),
    ...(tookMs <= 2_000 ? [] : [`the call was denied after ${tookMs} ms, expected at most 2000`]),
  ];
  return { ...emptyObservation(place), screen: run.screen, errors: run.errors, asked: run.asked, problems };
}

/** Sends answers for other questions and from another session first, then the right answer, which denies. */
async function sendsForeignAnswer(
  place: Place,
  attack: Call,
  foreign: { readonly word: PermissionAnswer; readonly id: string },
  otherSession: boolean,
): Promise<Observation> {
  const harmless = { name: "bash", argumentsText: '{"command":"touch harmless"}' };
  const replies = otherSession ? [[attack], "Done."] : [[harmless], [attack], "Done."];
  await using server = await startModelServer((_request, count) => {
    const reply = replies[count] ?? "Done.";
    return typeof reply === "string" ? textReply(reply) : callsReply(reply);
  });
  const values = {
    provider: "custom",
    model: "fake-model",
    host: `http://127.0.0.1:${server.port}/v1`,
    tools: "all",
    sessions: "none",
  } as const;
  const folder = join(place.home, ".config", "localharness");
  const composition = await compose({ values, origins: {}, folder }, place.ws);
  const session = composition.newSession("everything", "full");
  const other = composition.newSession("everything", "full");
  const events: SessionEvent[] = [];
  const problems: string[] = [];
  session.subscribe((event) => {
    events.push(event);
    if (event.type !== "permission-request") return;
    const { requestId } = event.request;
    const first = !otherSession && requestsIn(events).length === 1;
    if (first) return session.send({ type: "permission-answer", requestId, answer: "once" });
    const earlier = requestsIn(events).slice(0, -1);
    for (const stale of [...earlier, "permission-", `${requestId} `, "", foreign.id]) {
      session.send({ type: "permission-answer", requestId: stale, answer: foreign.word });
    }
    other.send({ type: "permission-answer", requestId, answer: foreign.word });
    setTimeout(() => finish(session, events, requestId, problems), 300);
  });
  await session.prompt("go");
  await session.close();
  await other.close();
  await composition.close();
  const denied = resultsOf(server.seen).at(-1)?.errorType === "permission_denied";
  if (!denied) problems.push("expected the call to be denied by its own answer");
  return { ...emptyObservation(place), requests: server.seen, problems };
}

/** Checks that the question is still open, then answers it: denied. */
function finish(
  session: Session,
  events: readonly SessionEvent[],
  requestId: string,
  problems: string[],
): void {
  const answered = events.some(
    (event) => event.type === "permission-answer" && event.requestId === requestId,
  );
  if (answered) problems.push("an answer to another question ended this one");
  session.send({ type: "permission-answer", requestId, answer: "deny" });
}

function requestsIn(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => (event.type === "permission-request" ? [event.request.requestId] : []));
}
