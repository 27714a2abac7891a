/**
 * Runs the recorded cases about our MCP server: their bytes go over raw sockets to `localharness mcp serve --http`.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { DriveOptions } from "./drive-call.ts";
import { type Values, wireBytes } from "./fill.ts";
import { emptyObservation, type Observation } from "./observation.ts";
import { ownTool } from "./own-names.ts";
import { makePlace, type Place } from "./place.ts";
import { endGroup, startProgram } from "./program.ts";
import type { Row } from "./row.ts";

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The number of times that all clients send their requests at once. */
const rounds = 10;

export async function driveMcpServer<Result>(
  row: Row,
  options: DriveOptions,
  look: (seen: Observation) => Promise<Result>,
): Promise<Result> {
  using place = makePlace(row.setup);
  const child = startProgram({
    ...options,
    place,
    args: ["mcp", "serve", "--http", "--port", "0", "--trust", "--sandbox", options.sandbox],
  });
  try {
    let errors = "";
    child.stderr?.setEncoding("utf8").on("data", (piece: string) => {
      errors += piece;
    });
    const port = await portOf(child);
    const values = { ...place.values, PORT: String(port), TOKEN: tokenOf(place) };
    const seen = await attack(row, values);
    return await look({ ...emptyObservation(place), ...seen, errors });
  } finally {
    const ended = once(child, "close");
    endGroup(child);
    await ended;
  }
}

/** Sends the row's request as it is written, then from each client within a session of that client. */
async function attack(
  row: Row,
  values: Values,
): Promise<Pick<Observation, "decided" | "found" | "problems">> {
  const count = typeof row.clients === "number" ? row.clients : 1;
  const files = ["a.txt", "b.txt"].slice(0, count);
  const alone = await send(requestOf(row, values, files[0] ?? ""), values);
  const clients = await Promise.all(
    files.map(async (file) => ({ file, session: await openSession(values) })),
  );
  const answers: (Answer & { readonly file: string })[] = [];
  // A session may use an id only once at a time, so each round waits for the answers of the previous round.
  for (let round = 0; round < rounds; round += 1) {
    const asked = clients.map(async ({ file, session }) => ({
      file,
      ...(await send(requestOf(row, values, file, session), values)),
    }));
    answers.push(...(await Promise.all(asked)));
  }
  const all = [alone, ...answers];
  const denied = answers.every(({ text }) => text.includes("permission_denied"));
  return {
    decided: denied ? "deny" : undefined,
    found: {
      status: [...new Set(all.map(({ status }) => status))].join(", "),
      crossTalk: answers.some(({ file, text }) => !text.includes(`1: ${file.charAt(0).toUpperCase()}`)),
    },
    problems: [
      ...(row.must.includes("permission policy") && !denied ? ["the call was not denied"] : []),
      ...all.flatMap(({ status }) => (Number.isNaN(status) ? ["a request got no answer"] : [])),
    ],
  };
}

/**
 * Returns the row's request with this program's tool name, with `file` in place of `mine.txt`, and with the headers of the
 * session if one is given.
 */
function requestOf(row: Row, values: Values, file: string, session?: string): Buffer {
  const wire = String(row.wire)
    .replace('"name":"shell"', `"name":"${ownTool("shell")}"`)
    .replace("mine.txt", file);
  const lines = `\r\nMcp-Session-Id: ${session}\r\nAccept: application/json, text/event-stream\r\n`;
  const whole = session === undefined ? wire : wire.replace("\r\n", lines);
  return Buffer.concat([...wireBytes(whole, values)]);
}

async function openSession(values: Values): Promise<string> {
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "raw", version: "1" },
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "initialize", params });
  const head = [
    "POST /mcp HTTP/1.1",
    "Host: 127.0.0.1:{{PORT}}",
    "Authorization: Bearer {{TOKEN}}",
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    "Content-Length: {{CL}}",
    "Connection: close",
  ];
  const { text } = await send(
    Buffer.concat([...wireBytes(`${head.join("\r\n")}\r\n\r\n${body}`, values)]),
    values,
  );
  const [, session] = /^mcp-session-id: (\S+)/im.exec(text) ?? [];
  if (session === undefined) throw new Error(`no session was opened: ${text.slice(0, 300)}`);
  return session;
}

/**
 * Sends bytes over a new connection. Resolves to everything that came until the server closed it, with the HTTP status or
 * NaN. Rejects with the socket's error.
 */
function send(bytes: Buffer, { PORT: port }: Values): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(bytes));
    let text = "";
    socket.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    socket.once("error", reject);
    socket.once("close", () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text }));
  });
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      const [, port] = / at http:\/\/127\.0\.0\.1:(\d+)\/mcp\n/.exec(text) ?? [];
      if (port !== undefined) resolve(Number(port));
    });
    child.once("close", () => reject(new Error(`the server did not start: ${text}`)));
  });
}

/** Reads the token as the person finds it: in the state folder of `mcp serve`, which has one file for the served folder. */
function tokenOf(place: Place): string {
  const folder = join(place.home, ".local", "state", "localharness", "mcp-serve");
  const [name = ""] = readdirSync(folder).filter((one) => one.endsWith(".json"));
  return String(JSON.parse(readFileSync(join(folder, name), "utf8")).token);
}
