/** A proxy between two programs that cuts connections at counted steps: after a number of pieces in one direction. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Cut {
  /** The direction in which pieces are counted: `up` goes to the server. */
  readonly way: "up" | "down";
  /** The number of the piece in this direction, from 1, at which the connection is cut. */
  readonly piece: number;
  /** True if the piece still goes through. */
  readonly passes: boolean;
}

export interface CuttingProxy {
  readonly port: number;
  /** Returns the number of cuts so far. */
  cuts(): number;
  close(): Promise<void>;
}

/**
 * Listens at the host. Connection number `n`, from 0, is cut as `plan(n)` says; undefined lets it be. Each piece arrives
 * `delayMs` later, in both directions.
 */
export async function cuttingProxy(
  host: string,
  port: number,
  to: { readonly host: string; readonly port: number },
  plan: (connection: number) => Cut | undefined,
  delayMs = 0,
): Promise<CuttingProxy> {
  /** Keeps the order, because timers of the same length end in the order in which they began. */
  const later = (act: () => void) => {
    if (delayMs === 0) act();
    else setTimeout(act, delayMs);
  };
  const sockets = new Set<Socket>();
  let connections = 0;
  let cuts = 0;
  const server = createServer((near) => {
    const cut = plan(connections);
    connections += 1;
    const far = connect({ ...to });
    let isCut = false;
    const end = () => {
      near.destroy();
      far.destroy();
    };
    const pass = (from: Socket, into: Socket, way: Cut["way"]) => {
      let piece = 0;
      from.on("data", (bytes) => {
        if (isCut) return;
        piece += 1;
        const here = cut?.way === way && cut.piece === piece;
        if (!here) later(() => into.write(bytes));
        else {
          isCut = true;
          cuts += 1;
          if (cut.passes) later(() => into.write(bytes, end));
          else end();
        }
      });
      from.on("close", () => later(end));
      from.on("error", end);
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.once("close", () => sockets.delete(socket));
    }
    pass(near, far, "up");
    pass(far, near, "down");
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cuts: () => cuts,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
