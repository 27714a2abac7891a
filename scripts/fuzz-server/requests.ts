/** Makes HTTP requests for the paths of the server, and damages half of them. */
import type { Random } from "./random.ts";

export interface Target {
  readonly port: number;
  readonly token: string;
}

const paths = [
  "/",
  "/health",
  "/assets/x.js",
  "/api/hub",
  "/api/pair",
  "/api/prove",
  "/api/codes",
  "/api/files?limit=5",
  "/api/openapi.json",
  "/api/sessions",
  "/api/sessions?words=a",
  "/api/sessions/x",
  "/api/sessions/x/commands",
  "/api/sessions/x/host/listTools",
  "/api/sessions/x/host/constructor",
  "/api/sessions/x/close",
  "/api/sessions/x/name",
  "/api/sessions/x/export?format=html",
  "/ws",
];
const verbs = [
  "GET",
  "GET",
  "POST",
  "POST",
  "DELETE",
  "HEAD",
  "PUT",
  "OPTIONS",
  "TRACE",
  "CONNECT",
  "PRI",
  "G\u0000T",
];
const values = [0, -1, 1e308, true, null, "", "\u0000", "x".repeat(5_000), [], {}, "\ud800", "__proto__"];
const names = [
  "kind",
  "type",
  "id",
  "args",
  "words",
  "code",
  "nonce",
  "beforeSeq",
  "command",
  "name",
  "__proto__",
  "constructor",
];
const kinds = ["resume", "fork", "user-message", "permission-answer", "interrupt", "set-mode", "compact"];

export function randomRequest(target: Target, random: Random): Buffer {
  const count = random.oneIn(6) ? 2 + random.below(4) : 1;
  const all = Buffer.concat(Array.from({ length: count }, () => request(target, random)));
  return random.oneIn(2) ? damage(all, random) : all;
}

export function upgradeRequest({ port, token }: Target, random: Random): Buffer {
  const query = random.pick([
    "",
    "?session=x",
    "?session=x&after=-1",
    "?after=1e999&session=x&log=y",
    "?session=%00",
  ]);
  const lines = [
    `GET /ws${query} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Key: ${random.oneIn(10) ? "bad" : random.bytes(16).toString("base64")}`,
    `Sec-WebSocket-Version: ${random.oneIn(10) ? 12 : 13}`,
    `Authorization: Bearer ${random.oneIn(10) ? "wrong" : token}`,
    ...(random.oneIn(3) ? ["Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=8"] : []),
    ...(random.oneIn(3) ? [`Sec-WebSocket-Protocol: localharness, key.${token}`] : []),
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);
}

function request({ port, token }: Target, random: Random): Buffer {
  const body = random.oneIn(3) ? Buffer.alloc(0) : bodyOf(random);
  const lines = [
    `${random.pick(verbs)} ${random.pick(paths)} HTTP/${random.oneIn(20) ? "1.0" : "1.1"}`,
    `Host: ${random.oneIn(15) ? "evil.example" : `127.0.0.1:${port}`}`,
    ...(random.oneIn(10) ? [] : [`Authorization: Bearer ${token}`]),
    ...(random.oneIn(15) ? ["Content-Type: text/plain"] : ["Content-Type: application/json"]),
    ...(random.oneIn(15) ? ["Origin: https://evil.example"] : []),
    ...(random.oneIn(15) ? [`X-Long: ${"a".repeat(random.below(20_000))}`] : []),
    ...(random.oneIn(15) ? ["Expect: 100-continue"] : []),
  ];
  return withBody(lines, body, random);
}

/** Returns the bytes of a request whose body has a length or comes in chunks; some heads contradict their body. */
function withBody(lines: string[], body: Buffer, random: Random): Buffer {
  const length = random.oneIn(12) ? random.pick([0, 1, 2 ** 33, -1, body.length + 50]) : body.length;
  const form = random.below(10);
  if (form < 7) {
    return Buffer.concat([
      Buffer.from(`${[...lines, `Content-Length: ${length}`].join("\r\n")}\r\n\r\n`),
      body,
    ]);
  }
  const both = form === 9 ? [`Content-Length: ${length}`] : [];
  const size = random.oneIn(6) ? random.pick(["zz", "ffffffffffffffff", "-1", ""]) : body.length.toString(16);
  const head = [
    ...lines,
    ...both,
    `Transfer-Encoding: ${random.pick(["chunked", "chunked", "gzip, chunked", "x"])}`,
  ];
  return Buffer.concat([
    Buffer.from(`${head.join("\r\n")}\r\n\r\n${size}\r\n`),
    body,
    Buffer.from("\r\n0\r\n\r\n"),
  ]);
}

function bodyOf(random: Random): Buffer {
  if (random.oneIn(6)) return random.bytes(random.below(2_000));
  if (random.oneIn(8)) return Buffer.from("[".repeat(random.below(20_000)));
  if (random.oneIn(5)) return Buffer.from("{}");
  const parts = Array.from({ length: random.below(5) }, () => {
    const value = random.oneIn(2) ? random.pick(kinds) : random.pick(values);
    return `${JSON.stringify(random.pick(names))}:${JSON.stringify(value)}`;
  });
  return Buffer.from(`{${parts.join(",")}}`);
}

/** Flips, drops, doubles or inserts bytes. */
function damage(bytes: Buffer, random: Random): Buffer {
  let changed = bytes;
  for (let left = 1 + random.below(4); left > 0 && changed.length > 0; left -= 1) {
    const at = random.below(changed.length);
    const length = 1 + random.below(30);
    const [before, rest] = [changed.subarray(0, at), changed.subarray(at)];
    const way = random.below(4);
    if (way === 0) changed = Buffer.concat([before, random.bytes(1), rest.subarray(1)]);
    else if (way === 1) changed = Buffer.concat([before, rest.subarray(length)]);
    else if (way === 2) changed = Buffer.concat([before, rest.subarray(0, length), rest]);
    else changed = Buffer.concat([before, random.bytes(length), rest]);
  }
  return changed;
}
