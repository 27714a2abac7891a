/** Runs the real program for one message and parses the events that it prints. */
import type { ChildProcess } from "node:child_process";
import { isJsonObject, type JsonObject, type SessionEvent } from "@localharness/protocol";
import type { DriveOptions } from "./drive-call.ts";
import type { SeenRequest } from "./model-server.ts";
import { emptyObservation, type Observation, resultsOf } from "./observation.ts";
import type { Place } from "./place.ts";
import { endGroup, probeReport, startProgram } from "./program.ts";

export interface JsonRunOptions extends DriveOptions {
  readonly place: Place;
  readonly baseUrl: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly under?: readonly string[];
  /** Called as soon as the program runs. */
  onStart?(child: ChildProcess): void;
}

/** Runs the program, which answers every question with `once`, and returns the observation. */
export async function jsonRun(
  options: JsonRunOptions,
  requests: readonly SeenRequest[],
): Promise<Observation> {
  const { place, baseUrl, args = [] } = options;
  const fixed = [
    "--output",
    "stream-json",
    "--answer",
    "once",
    "--sandbox",
    options.sandbox,
    "--model",
    "fake-model",
    "--tools",
    "all",
  ];
  const child = startProgram({ ...options, args: [...fixed, "--base-url", baseUrl, ...args, "go"] });
  options.onStart?.(child);
  let screen = "";
  let errors = "";
  child.stdin?.end();
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  let hung = false;
  const timer = setTimeout(() => {
    hung = true;
    endGroup(child);
  }, options.limitMs);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once("close", (...how) => resolve(how));
  });
  clearTimeout(timer);
  endGroup(child);
  const events = eventsIn(screen);
  const results = resultsOf(requests);
  const calls = events.filter((event) => event.type === "tool-call-end");
  return {
    ...emptyObservation(place),
    results,
    main: results[0],
    started: events.flatMap((event) => (event.type === "tool-start" ? [event.toolName] : [])),
    screen,
    errors,
    requests,
    ended: { code, signal, hung },
    probe: probeReport(place),
    found: {
      status: statusOf(events),
      configured: true,
      ...(calls.some((call) => call.format !== undefined) ? { format: "text" } : {}),
      repairs: calls.flatMap((call) => call.repairs ?? []),
    },
  };
}

function eventsIn(text: string): SessionEvent[] {
  return text.split("\n").flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isJsonObject(value as JsonObject) ? [value as SessionEvent] : [];
    } catch {
      return [];
    }
  });
}

function statusOf(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === "model-retry") return ["retried"];
    return event.type === "turn-end" ? [event.reason] : [];
  });
}
