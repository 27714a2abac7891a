/** Keeps what a command may change before it runs, and records its changes when it has ended. */
import type { ToolContext } from "@localharness/engine";
import { reasonOf } from "@localharness/protocol";
import { type Failure, refused } from "@localharness/workspace/outcome";
import type { Snapshots } from "@localharness/workspace/snapshots/snapshots";

/** The changes of a command that is about to run. Dispose of it when the command has ended. */
export interface KeptBefore extends Disposable {
  readonly ok: true;
  /** Records the changes. Resolves to at most three notes about what cannot be undone. Never rejects. */
  record(): Promise<readonly string[]>;
  /** Records only the reason why the changes are not recorded. Never rejects. */
  leaveOut(why: string): Promise<void>;
  /** Records that the command runs as a job, whose changes are only named when it has ended. Never rejects. */
  leave(job: string, ended: Promise<void>): Promise<void>;
}

const maxNotes = 3;

/**
 * Keeps what the command of the call may change; a command that only reads keeps nothing. Fails if the call was allowed because
 * undo would have a copy, and undo cannot have it.
 */
export async function keepBefore(
  { snapshots }: { readonly snapshots: Snapshots },
  { examined, ...context }: Pick<ToolContext, "examined" | "mode" | "turn">,
): Promise<KeptBefore | Failure> {
  const isLook = examined?.readOnly === true;
  const needed = context.mode === "bypass" ? [] : (examined?.command?.kept ?? []);
  const notes: string[] = [];
  try {
    const changes = isLook ? undefined : await snapshots.before(context, needed);
    return {
      ok: true,
      record: async () => (await changes?.record().catch(notUndone))?.slice(0, maxNotes) ?? notes,
      [Symbol.dispose]: () => changes?.end(),
      leaveOut: async (why) => void (await changes?.leaveOut(why).catch(notUndone)),
      leave: async (job, ended) => void (await changes?.leaveToJob(job, ended).catch(notUndone)),
    };
  } catch (error) {
    if (needed.length > 0) {
      const why = `Nothing ran, because undo could not keep what the command may remove or overwrite: ${reasonOf(error)}. Call it again; the person is then asked.`;
      return refused("io_error", why);
    }
    notes.push(...notUndone(error));
    const nothing = async () => undefined;
    return {
      ok: true,
      record: async () => notes,
      leaveOut: nothing,
      leave: nothing,
      [Symbol.dispose]: () => undefined,
    };
  }
}

function notUndone(error: unknown): readonly string[] {
  return [`what the command changes cannot be undone: ${reasonOf(error)}`];
}
