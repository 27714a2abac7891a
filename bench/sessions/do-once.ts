/** Makes one measurement in a separate process: `do-once.ts JOB STATE ID` prints `{ms, peakMb, found}`. */
import { createReadStream, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createRegistry, createSession, type Model } from "@localharness/engine";
import { openKeptSessions } from "localharness";

export type Job = "resume" | "list" | "search" | "floor-lines" | "floor-stat";

const [job = "", state = "", id = ""] = process.argv.slice(2);
const workspace = "/bench";
const sessions = openKeptSessions({
  stateFolder: state,
  workspace,
  systemPrompt: "",
  mask: (text) => text,
  secrets: [],
});

/** The jobs. Each returns how many items it found, to prove that the work was done. */
const jobs: Readonly<Record<Job, () => Promise<number>>> = {
  async resume() {
    const earlier = await sessions.openSession(id);
    const session = createSession({
      model: silent,
      registry: createRegistry([]),
      systemPrompt: "",
      workspace,
      interactive: false,
      sessionId: earlier.id,
      history: earlier.events,
    });
    return session.view().messages.filter(({ role }) => role !== "display" && role !== "system").length;
  },
  list: async () => (await sessions.listSessions("")).length,
  search: async () => (await sessions.listSessions("needle")).length,
  async "floor-lines"() {
    let count = 0;
    const input = createReadStream(join(sessions.folder, `${id}.jsonl`));
    for await (const line of createInterface({ input })) if (JSON.parse(line) !== null) count += 1;
    return count;
  },
  async "floor-stat"() {
    return readdirSync(sessions.folder).filter((name) => statSync(join(sessions.folder, name)).size > 0)
      .length;
  },
};

const silent: Model = {
  name: "bench",
  provider: "bench",
  async *stream() {
    yield { type: "model-end", stopReason: "stop" };
  },
};

const before = process.memoryUsage.rss();
const started = performance.now();
const found = await jobs[job as Job]();
const ms = performance.now() - started;
const peakMb = process.resourceUsage().maxRSS / 1024 - before / 1024 / 1024;
process.stdout.write(JSON.stringify({ ms, peakMb, found }));
process.exit(0);
