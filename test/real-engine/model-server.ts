/** Starts a model server for one model file as a child process, waits until it has loaded, and stops it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface ModelServer {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly modelFile: string;
  /** The model name that the server reports. */
  readonly alias: string;
  readonly contextSize: number;
}

/** The program and first arguments of the server in `serve-engine.ts`. */
export const ownServer: readonly string[] = [process.execPath, join(import.meta.dirname, "serve-engine.ts")];

export async function startModelServer(
  [program = "", ...first]: readonly string[],
  { modelFile, alias, contextSize }: ServerOptions,
): Promise<ModelServer> {
  const port = await freePort();
  const options = { model: modelFile, alias, host: "127.0.0.1", port, "ctx-size": contextSize, threads: 1 };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(program, [...first, ...args, "--parallel", "1", "--jinja"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lastWords = keepLastWords(child);
  const ending = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`could not be started: ${error.message}`));
    child.once("exit", (code, signal) => resolve(`ended with ${code ?? signal}`));
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  void ending.then(() => process.off("exit", kill));
  const stop = async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  };
  try {
    await untilLoaded(`http://127.0.0.1:${port}/health`, ending);
  } catch (error) {
    await stop();
    throw new Error(`${program} ${(error as Error).message}. It said last:\n${lastWords()}`, {
      cause: error,
    });
  }
  return { baseUrl: `http://127.0.0.1:${port}/v1`, stop };
}

/** Returns a port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("The system gave no port.");
  return address.port;
}

/** Polls until the server is ready. Throws when the server ends before that. */
async function untilLoaded(url: string, ending: Promise<string>): Promise<void> {
  let ended: string | undefined;
  void ending.then((how) => {
    ended = how;
  });
  while (ended === undefined) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await Promise.race([ending, sleep(50)]);
  }
  throw new Error(ended);
}

function keepLastWords(child: ChildProcess): () => string {
  let words = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (piece: string) => {
      words = (words + piece).slice(-4_000);
    });
  }
  return () => words;
}
