/** Entries reach an audit log in the order in which they were begun, whatever time it takes to make each. */
import type { AuditEntry, AuditLog } from "../audit.ts";

export interface OrderedLog {
  /** Resolves once the entry is safe; rejects when it is not. */
  put(make: () => Promise<AuditEntry>): Promise<void>;
  /** Resolves once the log has been given every entry so far, safe or not. */
  handedOver(): Promise<void>;
}

/** `onFailure` is told when the log fails, and again only after it has worked in between. */
export function createOrderedLog(audit: AuditLog, onFailure: (reason: string) => void): OrderedLog {
  let order: Promise<void> = Promise.resolve();
  let failing = false;
  function put(make: () => Promise<AuditEntry>): Promise<void> {
    // In an object, so that the next entry waits for this one to be handed over, not until it is safe.
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
        if (!failing) onFailure(error instanceof Error ? error.message : String(error));
        failing = true;
      },
    );
    return kept;
  }
  return { put, handedOver: () => order };
}
