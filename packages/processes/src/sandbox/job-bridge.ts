/**
 * Reaches the servers that a command in the background has started in its separate network. A helper in the sandbox, which the command
 * cannot reach, connects to a control socket here. It lists the ports that are listened on, and connects a socket here with one
 * of them.
 */
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { shellQuoted } from "../children/shell-program.ts";
import { passBytes } from "./pass-bytes.ts";

/** A port on which a program of the command listens. `address` is where the helper reaches it. */
export interface JobPort {
  readonly port: number;
  readonly address: string;
}

export interface JobBridge {
  /** Opens the control socket in the folder, and returns the shell text that starts the helper. */
  open(folder: string, place: string, socat: string): Promise<string>;
  /** Resolves to the ports on which programs of the command listen; to none if the helper does not answer. */
  ports(): Promise<readonly JobPort[]>;
  /** Connects a client with a server of the command. Ends the client if the server cannot be reached. */
  serve(port: JobPort, client: Socket): void;
  /** Closes all sockets. No port is reached afterwards. */
  close(): void;
}

const controlName = "control";
/** The time for the helper to start or to answer, in milliseconds. */
const answerMs = 3_000;
/** The maximum length of a list of ports. */
const maxListed = 1_000_000;

/** Returns a bridge that is not open yet. `without` has the ports that are not the command's own. */
export function createJobBridge(without: ReadonlySet<number>): JobBridge {
  const servers = new Set<Server>();
  const helper = Promise.withResolvers<Socket | undefined>();
  let folder = "";
  let counter = 0;
  let isClosed = false;
  let asking: Promise<readonly JobPort[]> = Promise.resolve([]);
  const listen = async (name: string, take: (socket: Socket) => void): Promise<Server> => {
    const server = createServer(take);
    server.unref();
    servers.add(server);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ path: join(folder, name), exclusive: true }, resolve);
    });
    return server;
  };
  /** Resolves to the helper's connection; undefined if it has ended, or did not come in time and is given up. */
  const connected = async () => {
    const socket = await withinAnswer(helper.promise, undefined);
    if (socket === undefined) helper.resolve(undefined);
    return isClosed || socket?.destroyed === true ? undefined : socket;
  };
  const end = (server: Server) => {
    servers.delete(server);
    server.close();
  };

  return {
    async open(path, place, socat) {
      folder = path;
      const control = await listen(controlName, (socket) => {
        socket.unref();
        socket.on("error", () => undefined);
        helper.resolve(socket);
        end(control);
      });
      return helperScript(place, socat);
    },
    ports() {
      asking = asking.then(async () => {
        const socket = await connected();
        return socket === undefined ? [] : portsIn(await listing(socket), without);
      });
      return asking;
    },
    serve(port, client) {
      client.on("error", () => undefined);
      void (async () => {
        const socket = await connected();
        if (socket === undefined) return client.destroy();
        counter += 1;
        const name = String(counter);
        const reached = Promise.withResolvers<Socket | undefined>();
        const server = await listen(name, reached.resolve);
        socket.write(`open ${name} ${port.address}\n`);
        const other = await withinAnswer(reached.promise, undefined);
        end(server);
        if (other === undefined) client.destroy();
        else passBytes(client, other);
      })().catch(() => client.destroy());
    },
    close() {
      isClosed = true;
      helper.resolve(undefined);
      void helper.promise.then((socket) => socket?.destroy());
      for (const server of servers) server.close();
    },
  };
}

/** Resolves to the value, or to `late` after the time for an answer. */
async function withinAnswer<T>(value: Promise<T>, late: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), answerMs);
  });
  try {
    return await Promise.race([value, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves to the kernel's tables of sockets, as the helper prints them; to an empty text without an answer. */
function listing(socket: Socket): Promise<string> {
  const whole = Promise.withResolvers<string>();
  let text = "";
  const take = (chunk: Buffer) => {
    text += chunk.toString("latin1");
    if (text.endsWith("\n.\n") || text.length > maxListed) whole.resolve(text);
  };
  const stop = () => whole.resolve("");
  socket.on("data", take);
  socket.once("close", stop);
  socket.write("ports\n");
  return withinAnswer(whole.promise, "").finally(() => {
    socket.off("data", take);
    socket.off("close", stop);
  });
}

/** Matches a line of `/proc/net/tcp` or `/proc/net/tcp6` about a socket that listens. */
const listening = /^\s*\d+: ([\dA-F]{8}|[\dA-F]{32}):([\dA-F]{4}) [\dA-F]+:[\dA-F]{4} 0A /;

/** Returns the ports of the tables, lowest first, without those in `without`. */
export function portsIn(tables: string, without: ReadonlySet<number>): readonly JobPort[] {
  const found = new Map<number, JobPort>();
  for (const line of tables.split("\n")) {
    const [, address = "", hex] = listening.exec(line) ?? [];
    if (hex === undefined) continue;
    const port = Number.parseInt(hex, 16);
    if (without.has(port) || (found.has(port) && address.length > 8)) continue;
    found.set(port, { port, address: address.length > 8 ? `TCP6:[::1]:${port}` : `TCP4:127.0.0.1:${port}` });
  }
  return [...found.values()].sort((one, other) => one.port - other.port);
}

function helperScript(place: string, socat: string): string {
  const program = shellQuoted(socat);
  return `{
  coproc CONTROL { exec ${program} UNIX-CONNECT:${place}/${controlName} STDIO; }
  while read -r verb name address <&"\${CONTROL[0]}"; do
    case $verb in
      ports) { cat /proc/net/tcp /proc/net/tcp6; echo .; } >&"\${CONTROL[1]}" ;;
      open) ${program} "UNIX-CONNECT:${place}/$name" "$address" & ;;
    esac
  done
} >/dev/null 2>&1 </dev/null &`;
}
