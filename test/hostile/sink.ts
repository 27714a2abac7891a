/** Opens a server on loopback that counts connections, to detect data that is sent out. */
import { createServer } from "node:net";

export interface Sink extends AsyncDisposable {
  readonly port: number;
  /** Connections so far. */
  readonly connections: number;
}

export async function openSink(): Promise<Sink> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on("error", () => undefined).resume();
    socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    get connections() {
      return connections;
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
