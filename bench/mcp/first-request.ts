/** Measures the time from the start of the built program to its first request, with servers that are configured. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startFakeServer } from "@localharness/models/fake-server";
import { buildCli } from "../../scripts/build.ts";
import { peerFile } from "./call-pairs.ts";

const built = join(import.meta.dirname, "../../dist/cli");

/**
 * Resolves to the milliseconds until the first request of a run with `count` servers arrives: for a run that does not
 * know these servers yet (`fresh`), and for the next run (`known`). Builds the program only if there is no build.
 */
export async function timeToFirstRequest(
  count: number,
): Promise<{ readonly fresh: number; readonly known: number }> {
  if (!existsSync(join(built, "bin", "localharness"))) await buildCli(built);
  const place = mkdtempSync(join(tmpdir(), "lh-bench-start-"));
  const folder = join(place, ".config", "localharness");
  mkdirSync(folder, { recursive: true });
  const entry = { command: process.execPath, args: [peerFile] };
  const names = Array.from({ length: count }, (_, index) => [`s${index}`, entry]);
  const config = JSON.stringify({ mcpServers: Object.fromEntries(names) });
  if (count > 0) writeFileSync(join(folder, "mcp.json"), config);
  const fresh = await timeOfRun(place);
  const known = await timeOfRun(place);
  rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  return { fresh, known };
}

async function timeOfRun(place: string): Promise<number> {
  await using model = await startFakeServer({ turns: [{ text: "Done." }] });
  const args = ["-p", "--trust", "--base-url", model.baseUrl, "--model", "fake-model", "go"];
  const from = performance.now();
  const child = spawn(process.execPath, [join(built, "bin", "localharness"), ...args], {
    cwd: place,
    env: { PATH: process.env["PATH"], HOME: place },
    stdio: "ignore",
  });
  await once(child, "exit");
  const [first] = model.chats;
  if (first === undefined) throw new Error("the program sent no request");
  return first.arrivedAt - from;
}
