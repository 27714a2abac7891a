/** Keeps what a command that the person types may change, and records its changes, so that undo covers it. */
import type { Clock } from "@localharness/engine";
import { callWords, countText } from "@localharness/protocol";
import type { Snapshots } from "@localharness/workspace/snapshots/snapshots";
import { newTypedTurn } from "@localharness/workspace/snapshots/typed-turn";
import { looksOnly } from "../shell/looks-only.ts";
import type { CommandReader } from "../shell/reader.ts";
import { keepBefore } from "./around-command.ts";

export interface TypedCommand {
  readonly sessionId: string;
  readonly command: string;
}

export interface KeepingParts {
  readonly snapshots: Snapshots;
  readonly clock: Clock;
  openReader(): Promise<CommandReader>;
}

/** The milliseconds after which changes are not recorded, because the person may have worked on the files meanwhile. */
export const maxTypedMs = 600_000;

/** Runs the command with `run`, and returns its end. A command that only looks keeps nothing. Rejects only if `run` does. */
export async function keepAroundTyped<T>(
  { snapshots, clock, openReader }: KeepingParts,
  { sessionId, command }: TypedCommand,
  run: () => Promise<T>,
): Promise<T> {
  const { calls } = (await openReader()).read(command);
  const readOnly = calls?.every(({ words }) => looksOnly(words) !== undefined) === true;
  const words = callWords("!command", { command });
  const turn = { sessionId, turnId: newTypedTurn(), words };
  const kept = await keepBefore({ snapshots }, { turn, mode: "bypass", examined: { readOnly } });
  if (!kept.ok) return await run();
  using changes = kept;
  const began = clock.monotonic();
  try {
    return await run();
  } finally {
    const ms = clock.monotonic() - began;
    const inMinutes = `in ${countText(Math.round(ms / 60_000), "minute")}`;
    if (ms <= maxTypedMs) await changes.record();
    else await changes.leaveOut(`what ${words}, or you meanwhile, changed ${inMinutes}`);
  }
}
