/** Writes entries to the audit log in the order of the `put` calls, even if a later entry is ready first. */
import { reasonOf } from "@localharness/protocol";
import type { AuditEntry, AuditLog } from "../audit.ts";

export interface OrderedLog {
  /** Resolves once the log has saved the entry; rejects if it could not. */
  put(make: () => Promise<AuditEntry>): Promise<void>;
  /** Resolves once every entry so far was given to the log, whether it could save the entry or not. */
  handedOver(): Promise<void>;
}

/** Returns the log. `onFailure` is called when writing begins to fail, and again only after a success. */
export function createOrderedLog(audit: AuditLog, onFailure: (reason: string) => void): OrderedLog {
  let order: Promise<void> = Promise.resolve();
  let failing = false;
  function put(make: () => Promise<AuditEntry>): Promise<void> {
    // The promise is wrapped in an object, so that the next entry does not wait until this entry is saved.
    const handed = order.then(async () => ({ kept: audit.append(await make()) }));
    order = handed.then(
      () => undefined,
      () => undefined,
    );
    const kept = handed.then(async (entry) => await entry.kept);
    kept.then(
      () => {
        failing = false;
      },
      (error: unknown) => {
        if (!failing) onFailure(reasonOf(error));
        failing = true;
      },
    );
    return kept;
  }
  return { put, handedOver: () => order };
}
