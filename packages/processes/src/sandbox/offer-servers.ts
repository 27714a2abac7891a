/** Asks the person whether a server of a job is opened to this machine, and tells the model where it is reached. */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ToolContext } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import type { Jobs } from "../children/jobs.ts";
import type { JobPorts, JobServer } from "./job-ports.ts";

interface Parts {
  readonly jobs: Jobs;
  readonly ports: JobPorts;
}

/** The time between two looks at the ports of a job, in milliseconds. */
const lookMs = 100;
/** The maximum number of servers of one call about which the person is asked. */
const maxAsked = 3;

/**
 * Waits until the job listens on a port, has ended, or `waitMs` have passed. Asks the person about each new server. Resolves to
 * sentences for the model, none if there is no new server.
 */
export async function offerServers(
  parts: Parts,
  job: string,
  context: ToolContext,
  waitMs: number,
): Promise<readonly string[]> {
  const until = performance.now() + waitMs;
  for (;;) {
    const servers = await parts.ports.newServers(job);
    if (servers.length > 0) return await offerEach(parts, servers, context);
    const isRunning = parts.jobs.list().some(({ id, ended }) => id === job && ended === undefined);
    if (!isRunning || context.signal.aborted || performance.now() >= until) return [];
    await sleep(lookMs, undefined, { ref: false });
  }
}

async function offerEach(
  parts: Parts,
  servers: readonly JobServer[],
  context: ToolContext,
): Promise<readonly string[]> {
  const said: string[] = [];
  for (const [index, server] of servers.entries()) {
    const { job, port } = server;
    const reach = `${job} listens on port ${port}. Other commands of this session reach it at 127.0.0.1:${port}`;
    const opened = index < maxAsked ? await openedAt(parts, server, context) : undefined;
    said.push(
      opened === undefined
        ? `${reach}; programs outside of the sandbox, such as the person's browser, do not`
        : `${reach}; the person opened it to this machine at http://127.0.0.1:${opened}/`,
    );
  }
  return said;
}

/** Resolves to the port at which the person opened the server to this machine; undefined if it stays closed. */
async function openedAt(
  { ports, jobs }: Parts,
  server: JobServer,
  context: ToolContext,
): Promise<number | undefined> {
  const at = await ports.freePort(server.port);
  if (context.mode !== "bypass") {
    if (context.interactive !== true || context.ask === undefined) return undefined;
    const command = jobs.list().find(({ id }) => id === server.job)?.command ?? "";
    const given = await context.ask(question(server, at, command), context.signal);
    if (given === undefined || given.answer === "deny") return undefined;
  }
  return await ports.openAt(server, at);
}

function question({ job, port }: JobServer, at: number, command: string) {
  const args: JsonObject = { command, job, open: `127.0.0.1:${at}`, port };
  const taken = at === port ? "" : `; port ${port} of this machine is taken`;
  return {
    toolName: "open_port",
    arguments: args,
    argumentsHash: createHash("sha256").update(JSON.stringify(args)).digest("hex"),
    risk: "medium",
    // What programs do with the server while it is open stays done.
    grade: "lasting",
    rule: "risk:medium",
    reason: `opens 127.0.0.1:${at} to your browser and every program here${taken}`,
    covers: `this port, until ${job} ends`,
    answers: ["once", "deny"],
    concerns: [],
  } as const;
}
