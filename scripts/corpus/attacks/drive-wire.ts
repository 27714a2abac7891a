/** Runs the recorded cases in which the model's server misbehaves: raw bytes, silence, broken connections. */
import type { ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { chat } from "./chat.ts";
import type { DriveOptions } from "./drive-call.ts";
import { wireBytes } from "./fill.ts";
import { jsonRun } from "./json-run.ts";
import { isTurnLimit, limitedTurn } from "./limited-turn.ts";
import { checkedLimits, limitedStart } from "./limits.ts";
import {
  callsReply,
  hold,
  put,
  type Reply,
  type SeenRequest,
  startModelServer,
  textReply,
} from "./model-server.ts";
import { emptyObservation, listOf, type Observation, resultsOf, startsOn } from "./observation.ts";
import { makePlace, type Place } from "./place.ts";
import { beginWatch, probeReport } from "./program.ts";
import type { Row } from "./row.ts";
import { RowError } from "./row-error.ts";

const stillHere = "Still here.";

export async function driveWire<Result>(
  row: Row,
  options: DriveOptions,
  look: (seen: Observation) => Promise<Result>,
): Promise<Result> {
  using bare = makePlace(row.setup);
  await using sink = await startSink();
  const place: Place = { ...bare, values: { ...bare.values, SINK: String(sink.port) } };
  const watched: { child?: ChildProcess; turn: number } = { turn: 1 };
  await using server = await startModelServer(async (request, count) => {
    const { child } = watched;
    if (count === 0 && child !== undefined && "max_rss_delta_mb" in row.check) await beginWatch(child, place);
    return choose(row, place, request, count, watched.turn);
  });
  const refused = row.wire === "<connection refused>";
  const port = refused ? await freePort() : server.port;
  const seen = await run(
    row,
    { ...place, values: withAddress(place, port) },
    port,
    options,
    watched,
    server.seen,
  );
  const found = { ...seen.found, sink: sink.heard(), sinkConnections: sink.count(), calls: callsIn(row) };
  return await look({ ...seen, found });
}

/** Returns true if the checks need the events: only events report how a turn ended and what was repaired. */
function toldByEvents({ check, must }: Row): boolean {
  return "turn_status_in" in check || "repaired" in check || must.includes("marked");
}

function withAddress(place: Place, port: number) {
  return { ...place.values, BASE_URL: `http://127.0.0.1:${port}` };
}

async function run(
  row: Row,
  place: Place,
  port: number,
  options: DriveOptions,
  watched: { child?: ChildProcess; turn: number },
  requests: readonly SeenRequest[],
): Promise<Observation> {
  const ollama = String(row.wire).includes("application/x-ndjson");
  const baseUrl = `http://127.0.0.1:${port}${ollama ? "" : "/v1"}`;
  const config = checkedLimits(row);
  if (Object.keys(config).length > 0 && Object.keys(config).every((name) => isTurnLimit(name))) {
    return await limitedTurn(place, baseUrl, config, options.limitMs);
  }
  if ("idle_timeout_ms" in config) throw new RowError("idle_timeout_ms needs no other limits beside it");
  const onStart = (child: ChildProcess) => {
    watched.child = child;
  };
  const provider = ollama ? ["--provider", "ollama"] : [];
  const limits = limitedStart(row, config);
  if (toldByEvents(row)) {
    return await jsonRun({ ...options, ...limits, place, baseUrl, args: provider, onStart }, requests);
  }
  const args = [...provider, "--iterations-per-turn", "60"];
  const startedAt = performance.now();
  const talked = await chat({
    ...options,
    ...limits,
    place,
    baseUrl,
    args,
    messages: "session_usable" in row.check ? ["go", "again"] : ["go"],
    answer: () => "once",
    onStart,
    beforeMessage: (index) => {
      watched.turn = index + 1;
    },
  });
  const results = resultsOf(requests);
  const from = requests[0]?.arrivedAt ?? startedAt;
  const to = talked.idleAt[0];
  return {
    ...emptyObservation(place),
    results,
    main: results[0],
    asked: talked.asked,
    started: startsOn(talked.screen).map((start) => start.tool),
    screen: talked.screen,
    errors: talked.errors,
    requests,
    ended: { code: talked.code, signal: talked.signal, hung: talked.hung },
    turnMs: to === undefined ? undefined : to - from,
    probe: probeReport(place),
    found: {
      usable: talked.screen.includes(stillHere) && talked.code === 0,
      furtherRequests: watched.turn - 1,
      configured: true,
    },
    problems: replayed(requests),
  };
}

function choose(row: Row, place: Place, request: SeenRequest, count: number, turn: number): Reply {
  if (turn > 1) return textReply(stillHere);
  const replays = row.steps?.some((step) => "replay_each_turn" in step) === true;
  if (!replays && lastRole(request) === "tool" && !refusesHistory(row)) return textReply("That is all.");
  // A server can refuse a history only if there is one. The first answer makes it: a call whose arguments are cut
  // off.
  if (refusesHistory(row) && count === 0) {
    return callsReply([{ name: "write_file", argumentsText: '{"path": "a.txt", "content": "x' }]);
  }
  return wireReply(row, place);
}

/** Returns true if the row's server rejects the calls in the history. */
function refusesHistory(row: Row): boolean {
  return row.must.includes("replayed history");
}

function lastRole(request: SeenRequest): JsonValue | undefined {
  return listOf(request.body["messages"]).at(-1)?.["role"];
}

const knownSteps = ["send_all", "split_at_byte", "then_send", "hold_ms", "close"];

function wireReply(row: Row, place: Place): Reply {
  const steps = row.steps?.filter((step) => !("replay_each_turn" in step)) ?? [];
  return async (socket) => {
    const whole = () => wireBytes(row.wire ?? "", place.values);
    if (steps.length === 0) {
      await put(socket, whole());
      socket.end();
      return;
    }
    for (const name of steps.flatMap((step) => Object.keys(step))) {
      if (!knownSteps.includes(name)) throw new RowError(`unknown step ${name}`);
    }
    let held: Buffer | undefined;
    for (const step of steps) {
      if (step["send_all"] === true) await put(socket, whole());
      if (typeof step["split_at_byte"] === "number") {
        const bytes = Buffer.concat([...whole()]);
        await put(socket, [bytes.subarray(0, step["split_at_byte"])]);
        held = bytes.subarray(step["split_at_byte"]);
        await hold(socket, 50);
      }
      if (typeof step["then_send"] === "string") await put(socket, [held ?? "", step["then_send"]]);
      if (typeof step["hold_ms"] === "number") await hold(socket, step["hold_ms"]);
      if (step["close"] === "rst") {
        // The written data has to leave first, because a reset may overtake it.
        await hold(socket, 50);
        socket.resetAndDestroy();
      }
    }
    socket.end();
  };
}

/** Returns the number of calls in the recorded bytes, at least 1. */
function callsIn(row: Row): number {
  return typeof row.wire === "string" ? (row.wire.match(/"function": \{"name"/g) ?? []).length || 1 : 1;
}

/** Reports the first call that went back to the server with arguments that are not a JSON object. */
function replayed(requests: readonly SeenRequest[]): string[] {
  const calls = requests.flatMap(({ body }) =>
    listOf(body["messages"]).flatMap((message) => listOf(message["tool_calls"])),
  );
  const broken = calls.map(argumentsOf).find((text) => !isObjectText(text));
  return broken === undefined ? [] : [`a call went back with arguments that are not an object: ${broken}`];
}

function argumentsOf(call: JsonObject): string {
  const inner = call["function"];
  const args = isJsonObject(inner ?? null) ? (inner as JsonObject)["arguments"] : undefined;
  return typeof args === "string" ? args : JSON.stringify(args ?? null);
}

function isObjectText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}

interface Sink extends AsyncDisposable {
  readonly port: number;
  heard(): string;
  count(): number;
}

/** Starts a third-party server, which must not receive anything. */
export async function startSink(): Promise<Sink> {
  let text = "";
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on("error", () => undefined);
    socket.on("data", (piece) => {
      text += piece.toString("latin1");
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
    });
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
  return {
    port,
    heard: () => text,
    count: () => connections,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function freePort(): Promise<number> {
  await using sink = await startSink();
  return sink.port;
}
