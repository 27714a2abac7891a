/** Asks an HTTP proxy to connect with a host (CONNECT). */
import type { Duplex } from "node:stream";
import { plainText } from "@localharness/protocol";
import { type NamedProxy, ProxyProblem, proxyName } from "./proxy.ts";
import { readReply } from "./read-reply.ts";
import { signInProblem } from "./sign-in-problem.ts";

/** Returns the headers that sign in at the proxy; none without a user. */
export function proxyHeaders({ user }: NamedProxy): Readonly<Record<string, string>> {
  if (user === undefined) return {};
  const token = Buffer.from(`${user.name}:${user.password}`).toString("base64");
  return { "proxy-authorization": `Basic ${token}` };
}

/** Resolves when the proxy has connected the socket with the target, such as `host:443`. Rejects with a `ProxyProblem`. */
export async function openHttpTunnel(socket: Duplex, proxy: NamedProxy, target: string): Promise<void> {
  const headers = Object.entries({ Host: target, ...proxyHeaders(proxy) });
  const lines = [`CONNECT ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  const head = (await readReply(socket, headLength)).toString("latin1");
  const [, digits, words = ""] = /^HTTP\/1\.[01] (\d{3})[ \t]*([^\r\n]*)/.exec(head) ?? [];
  if (digits === undefined) {
    const what = `sent something that is no answer of an HTTP proxy: is the address in ${proxy.variable} right?`;
    throw new ProxyProblem(`${proxyName(proxy)} ${what}`, { mayPass: false });
  }
  const status = Number(digits);
  if (status < 200 || status > 299) throw refusalOf(proxy, target, status, words, head);
}

function headLength(bytes: Buffer): number | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end !== -1) return end + 4;
  // Something that is not HTTP has no head whose end would come.
  const isHttp = "HTTP/1.".startsWith(bytes.subarray(0, 7).toString("latin1"));
  return isHttp ? undefined : bytes.length;
}

const maxWords = 80;

function refusalOf(
  proxy: NamedProxy,
  target: string,
  status: number,
  words: string,
  head: string,
): ProxyProblem {
  if (status === 407) return signInProblem(proxy, head);
  const who = proxyName(proxy);
  const answer = `${status} ${plainText(words).slice(0, maxWords)}`.trim();
  if (status >= 500 || status === 408 || status === 429) {
    return new ProxyProblem(`${who} did not reach ${target}: it answered ${answer}.`, { mayPass: true });
  }
  const host = target.replace(/:\d+$/, "");
  const advice = `If ${host} is reached without the proxy, add it to NO_PROXY; otherwise ask those who run the proxy.`;
  return new ProxyProblem(
    `${who} does not let requests to ${target} through: it answered ${answer}. ${advice}`,
    { mayPass: false },
  );
}
