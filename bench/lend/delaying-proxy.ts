/** A proxy that delivers everything later by a fixed time, in both directions, as a network with that delay does. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface DelayingProxy {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens at `[::1]:port` and connects to the same port of 127.0.0.1. `delayMs` is the delay in one direction. */
export async function delayingProxy(port: number, delayMs: number): Promise<DelayingProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on("data", (bytes) => setTimeout(() => into.write(bytes), delayMs));
      from.on("close", () => into.destroy());
      from.on("error", () => into.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(port, "::1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
