/** Carries MCP messages over the standard input and output of a child process, with one JSON text on each line. */
import { plainText } from "@localharness/protocol";
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import type { CommandEntry } from "../config/entry.ts";
import type { Doors, ServerProcess } from "../doors.ts";
import { createLineSplitter } from "./split-lines.ts";

/** The maximum size of a message from a server, in bytes. */
const maxMessageBytes = 16 * 1024 * 1024;
/** The number of characters of error output that are kept for messages. */
const keptErrorChars = 600;

export interface ProcessTransport extends Transport {
  /** Present so that the MCP library treats the transport as a child process. */
  readonly pid: undefined;
  readonly stderr: undefined;
  /**
   * Returns what is known about a failure: why the process ended, how much of its output was not MCP, and the end of
   * its error output.
   */
  trouble(): Trouble;
}

export interface Trouble {
  /** The reason why the transport closed, in words; undefined while it is open. */
  readonly ended: string | undefined;
  /** The number of lines on standard output that were not MCP messages. */
  readonly junkLines: number;
  /** The end of the error output, as plain text. */
  readonly errors: string;
}

/** Creates the transport. The process starts with `start()` and ends with `close()`. */
export function createProcessTransport(entry: CommandEntry, doors: Doors): ProcessTransport {
  const stopping = new AbortController();
  const splitter = createLineSplitter(maxMessageBytes);
  const decoder = new TextDecoder();
  let child: ServerProcess | undefined;
  let ended: string | undefined;
  let junkLines = 0;
  let errors = "";

  function finish(reason: string): void {
    if (ended !== undefined) return;
    ended = reason;
    stopping.abort();
    transport.onclose?.();
  }

  function receive(chunk: Uint8Array): void {
    if (ended !== undefined) return;
    const lines = splitter.push(chunk);
    if (lines === "too-long") {
      finish(`it sent a message of more than ${maxMessageBytes / 1024 / 1024} MB, so it was ended`);
    } else {
      for (const line of lines) deliver(line);
    }
  }

  function deliver(line: string): void {
    if (line.trim() === "") return;
    const message = readMessage(line);
    if (message === undefined) junkLines += 1;
    else transport.onmessage?.(message);
  }

  const transport: ProcessTransport = {
    pid: undefined,
    stderr: undefined,
    trouble: () => ({ ended, junkLines, errors: plainText(errors).trim() }),
    async start() {
      child = await doors.start({
        entry,
        command: entry.command,
        args: entry.args,
        ...(entry.cwd === undefined ? {} : { cwd: entry.cwd }),
        environment: entry.env,
        sandboxed: entry.sandbox,
        signal: stopping.signal,
        onOutput: receive,
        onErrorOutput(chunk) {
          const text = decoder.decode(chunk.subarray(-4 * keptErrorChars));
          errors = (errors + text).slice(-keptErrorChars).toWellFormed();
        },
      });
      void child.ended.then(finish);
    },
    async send(message) {
      if (child === undefined || ended !== undefined) throw new Error(ended ?? "the server has not started");
      await child.write(serializeMessage(message));
    },
    async close() {
      finish("it was ended");
      await child?.ended;
    },
  };
  return transport;
}

/** Returns the message; undefined if the line is not a message. */
function readMessage(line: string): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(JSON.parse(line));
  } catch {
    return undefined;
  }
}
