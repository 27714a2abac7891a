/** Asks a SOCKS proxy of version 5 to connect with a host (RFC 1928, RFC 1929). The proxy looks the name up. */
import { isIPv4 } from "node:net";
import type { Duplex } from "node:stream";
import { type NamedProxy, ProxyProblem, proxyName } from "./proxy.ts";
import { readReply } from "./read-reply.ts";

const version = 5;
const withoutSignIn = 0;
const withPassword = 2;

/** The replies that are not 0, as the end of a sentence. `final` is absent if a later try may succeed. */
const replies: Readonly<Record<number, { readonly words: string; readonly final?: true }>> = {
  1: { words: "it failed" },
  2: { words: "its rules do not allow it", final: true },
  3: { words: "the network is unreachable" },
  4: { words: "the host is unreachable" },
  5: { words: "the connection was refused" },
  6: { words: "the time was over" },
  7: { words: "it does not know the command", final: true },
  8: { words: "it does not know this kind of address", final: true },
};

/** Resolves when the proxy has connected the socket with the host. Rejects with a `ProxyProblem`. */
export async function openSocksTunnel(
  socket: Duplex,
  proxy: NamedProxy,
  host: string,
  port: number,
): Promise<void> {
  await signIn(socket, proxy);
  const name = isIPv4(host) ? undefined : Buffer.from(host);
  if (name !== undefined && name.length > 255) {
    throw new ProxyProblem(`${proxyName(proxy)} takes no name of more than 255 bytes.`, { mayPass: false });
  }
  const address = name === undefined ? [1, ...host.split(".").map(Number)] : [3, name.length, ...name];
  socket.write(Buffer.from([version, 1, 0, ...address, port >> 8, port & 255]));
  const reply = await readReply(socket, (bytes) => connectReplyLength(bytes));
  requireVersion(proxy, reply);
  const code = reply[1] ?? 1;
  if (code === 0) return;
  const { words, final } = replies[code] ?? { words: `it answered ${code}` };
  throw new ProxyProblem(`${proxyName(proxy)} did not reach ${host}:${port}: ${words}.`, {
    mayPass: final !== true,
  });
}

async function signIn(socket: Duplex, proxy: NamedProxy): Promise<void> {
  const { user } = proxy;
  const ways = user === undefined ? [withoutSignIn] : [withoutSignIn, withPassword];
  socket.write(Buffer.from([version, ways.length, ...ways]));
  const chosen = await readReply(socket, () => 2);
  requireVersion(proxy, chosen);
  if (chosen[1] === withoutSignIn) return;
  const who = proxyName(proxy);
  if (chosen[1] !== withPassword || user === undefined) {
    const how = `Write them into ${proxy.variable}: socks5://NAME:PASSWORD@HOST:PORT.`;
    throw new ProxyProblem(`${who} asks for a user name and a password. ${how}`, { mayPass: false });
  }
  const [name, password] = [Buffer.from(user.name), Buffer.from(user.password)];
  socket.write(Buffer.from([1, name.length, ...name, password.length, ...password]));
  const answer = await readReply(socket, () => 2);
  if (answer[1] !== 0) {
    throw new ProxyProblem(`${who} does not accept the user name and the password in ${proxy.variable}.`, {
      mayPass: false,
    });
  }
}

function requireVersion(proxy: NamedProxy, reply: Buffer): void {
  if (reply[0] === version) return;
  const what = `is no SOCKS proxy of version 5: is the address in ${proxy.variable} right?`;
  throw new ProxyProblem(`${proxyName(proxy)} ${what}`, { mayPass: false });
}

/** Returns the length of the reply to a request to connect. It ends with an address, whose length its kind tells. */
function connectReplyLength(bytes: Buffer): number | undefined {
  if (bytes[0] !== undefined && bytes[0] !== version) return 1;
  const [, code, , kind, length = 0] = bytes;
  if (code !== undefined && code !== 0) return 2;
  if (kind === undefined || (kind === 3 && bytes.length < 5)) return undefined;
  return 6 + (kind === 1 ? 4 : kind === 4 ? 16 : 1 + length);
}
