/** Runs a command that the person typed, and records it in the audit log, as the calls of models are. */
import { createHash } from "node:crypto";
import type { CommandReport } from "@localharness/protocol";
import type { Composition } from "../compose/compose.ts";

type CommandParts = Pick<Composition, "audit" | "mask">;

/**
 * Logs a command, runs it with `run`, and returns its output with known secrets masked. Rejects, without running the
 * command, if it cannot be logged. Rejects after the command has run if `run` rejects or the result cannot be logged.
 */
export async function runRecorded(
  { audit, mask }: CommandParts,
  sessionId: string,
  command: string,
  run: () => Promise<CommandReport>,
): Promise<CommandReport> {
  const call = `person_${crypto.randomUUID().slice(0, 8)}`;
  const shared = { session: sessionId, call };
  await audit.append({
    type: "call",
    time: Date.now(),
    ...shared,
    tool: "!command",
    arguments: { command: mask(command) },
    argumentsHash: sha256(JSON.stringify({ command })),
    decision: "allow",
    rule: "person",
  });
  const started = performance.now();
  const { exitCode, output } = await run();
  const masked = mask(output);
  await audit.append({
    type: "result",
    time: Date.now(),
    ...shared,
    success: exitCode !== undefined,
    error_type: exitCode === undefined ? "cancelled" : "none",
    sha256: sha256(masked),
    bytes: Buffer.byteLength(masked),
    ms: Math.round(performance.now() - started),
  });
  return { exitCode, output: masked };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
