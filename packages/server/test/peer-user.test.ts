/** Checks which user has the other end of a connection, with tables as Linux writes them and with a real connection. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { isOwnUser, userOf } from "../src/peer-user.ts";

const head =
  "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
const row = (from: string, to: string, state: string, user: number) =>
  `   0: ${from} ${to} ${state} 00000000:00000000 00:00000000 00000000  ${user}        0 4242 1 0 20\n`;
const ends = {
  remoteAddress: "127.0.0.1",
  remotePort: 0xc001,
  localAddress: "127.0.0.1",
  localPort: 0x1000,
};
const [client, server] = ["0100007F:C001", "0100007F:1000"];
const loopback6 = `${"0".repeat(24)}01000000`;

test.each([
  ["the other end", row(client, server, "01", 1000), ends, 1000],
  ["only the server's own end", row(server, client, "01", 1000), ends, undefined],
  ["a closed connection, of which the table names root", row(client, server, "06", 0), ends, undefined],
  ["another address with the same ports", row("0200007F:C001", server, "01", 1000), ends, undefined],
  [
    "an address of IPv4 in IPv6",
    row(client, server, "01", 7),
    { ...ends, remoteAddress: "::ffff:127.0.0.1", localAddress: "::ffff:127.0.0.1" },
    7,
  ],
  [
    "the loopback of IPv6",
    row(`${loopback6}:C001`, `${loopback6}:1000`, "01", 7),
    { ...ends, remoteAddress: "::1", localAddress: "::1" },
    7,
  ],
  [
    "a connection that has ended",
    row(client, server, "01", 7),
    { ...ends, remotePort: undefined },
    undefined,
  ],
])("%s", (_, rows, given, user) => {
  expect(userOf(head + rows, given)).toBe(user);
});

test.each(["127.0.0.1", "::1"])("a real connection to %s is of the own user", async (host) => {
  const listener = createServer();
  const listening = once(listener, "listening");
  listener.listen(0, host);
  const failed = await listening.then(
    () => false,
    () => true,
  );
  // A machine may have no IPv6.
  if (failed) return;
  const accepted = once(listener, "connection");
  const { port } = listener.address() as { readonly port: number };
  const socket = connect(port, host);
  const [taken] = (await accepted) as [Socket];
  expect(await isOwnUser(taken)).toBe(true);
  socket.destroy();
  taken.destroy();
  listener.close();
});
