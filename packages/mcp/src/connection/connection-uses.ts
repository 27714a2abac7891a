/** Closes connections that were left, as soon as no request uses them any more. */
import type { Connection } from "./connection.ts";

export interface ConnectionUses {
  /** Runs a request on the connection, and resolves or rejects as the request does. */
  use<Result>(connection: Connection, work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** Leaves the connection: it is closed when its last request has ended. */
  leave(connection: Connection): void;
  /** Closes the connections that were left and are still used. */
  closeLeft(): Promise<void>;
}

export function createConnectionUses(): ConnectionUses {
  const uses = new Map<Connection, number>();
  const left = new Set<Connection>();
  const closeUnused = (connection: Connection) => {
    if (uses.has(connection) || !left.delete(connection)) return;
    void connection.close();
  };
  return {
    async use(connection, work) {
      uses.set(connection, (uses.get(connection) ?? 0) + 1);
      try {
        return await work(connection);
      } finally {
        const others = (uses.get(connection) ?? 1) - 1;
        if (others > 0) uses.set(connection, others);
        else uses.delete(connection);
        closeUnused(connection);
      }
    },
    leave(connection) {
      connection.leave();
      left.add(connection);
      closeUnused(connection);
    },
    async closeLeft() {
      await Promise.all([...left].map((one) => one.close()));
    },
  };
}
