/** An audit log in memory. Tests can make it fail or slow. */
import type { AuditEntry, AuditLog } from "@localharness/engine";

export interface MemoryAuditLog extends AuditLog {
  readonly entries: AuditEntry[];
  /** Text: every append rejects with it. */
  failing: string | undefined;
  /** Milliseconds until an entry is safe. */
  slowMs: number;
}

export function memoryAuditLog(failing?: string): MemoryAuditLog {
  const log: MemoryAuditLog = {
    entries: [],
    failing,
    slowMs: 0,
    async append(entry) {
      if (log.failing !== undefined) throw new Error(log.failing);
      if (log.slowMs > 0) await new Promise((resolve) => setTimeout(resolve, log.slowMs));
      log.entries.push(entry);
    },
  };
  return log;
}
