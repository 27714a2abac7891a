/** Starts the scripted model server, tells it the scenario of each run, and gets its report. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Strictness } from "@localharness/models/fake-server";
import type { ServerReport } from "./request-log.ts";
import type { Scenario } from "./scenario.ts";

export interface ServerJob {
  readonly scenario: Scenario;
  /** The prefix of paths in calls: empty, or the workspace for programs that need absolute paths. */
  readonly pathPrefix: string;
  /** With this, the server renders each request through a chat template and refuses as a real server does. */
  readonly strict?: Strictness;
}

export type ServerOrder = { readonly kind: "job"; readonly job: ServerJob } | { readonly kind: "report" };

export type ServerAnswer =
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "ready" }
  | { readonly kind: "report"; readonly report: ServerReport; readonly cpu: NodeJS.CpuUsage };

export interface FakeModelServer {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly url: string;
  begin(job: ServerJob): Promise<void>;
  report(): Promise<{ report: ServerReport; cpu: NodeJS.CpuUsage }>;
  stop(): void;
}

/** Starts the server. It ends with this process at the latest, because it exits when its IPC channel closes. */
export async function startFakeModelServer(): Promise<FakeModelServer> {
  const child = fork(join(import.meta.dirname, "server.ts"), {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const { port } = await answerOf(child, "listening");
  const ask = async <Kind extends ServerAnswer["kind"]>(order: ServerOrder, kind: Kind) => {
    const answer = answerOf(child, kind);
    child.send(order);
    return await answer;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    begin: async (job) => void (await ask({ kind: "job", job }, "ready")),
    report: async () => await ask({ kind: "report" }, "report"),
    stop: () => child.disconnect(),
  };
}

async function answerOf<Kind extends ServerAnswer["kind"]>(
  child: ChildProcess,
  kind: Kind,
): Promise<Extract<ServerAnswer, { kind: Kind }>> {
  const failed = new AbortController();
  const onExit = () => failed.abort(new Error("The scripted model server ended."));
  child.once("exit", onExit);
  try {
    const [answer]: ServerAnswer[] = await once(child, "message", { signal: failed.signal });
    if (answer?.kind !== kind) {
      throw new Error(`Expected "${kind}" from the model server, got "${answer?.kind}".`);
    }
    return answer as Extract<ServerAnswer, { kind: Kind }>;
  } finally {
    child.off("exit", onExit);
  }
}
