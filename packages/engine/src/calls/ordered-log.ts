/** Gives an audit log its entries in the order in which they were begun, however long it takes to make each. */
import { reasonOf } from "@localharness/protocol";
import type { AuditEntry, AuditLog } from "../audit.ts";

export interface OrderedLog {
  /** Resolves once the log has kept the entry; rejects when it could not. */
  put(make: () => Promise<AuditEntry>): Promise<void>;
  /** Resolves once the log has been given every entry so far, whether it could keep them or not. */
  handedOver(): Promise<void>;
}

/** `onFailure` is called when the log fails, and again only after the log has worked in between. */
export function createOrderedLog(audit: AuditLog, onFailure: (reason: string) => void): OrderedLog {
  let order: Promise<void> = Promise.resolve();
  let failing = false;
  function put(make: () => Promise<AuditEntry>): Promise<void> {
    // The promise is put into an object, so that the next entry does not wait until this one is kept.
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
