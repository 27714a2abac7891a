/** Keeps one connection to a machine that lends a folder. A broken connection is made again when it is needed. */
import type { PermissionAnswer, PermissionRequest } from "@localharness/protocol";
import type { Frames } from "../transport/frame-transport.ts";
import { type OpenLink, openLink } from "./open-link.ts";

export interface KeepParts {
  /** The name of the machine, for messages. */
  readonly name: string;
  readonly version: string;
  connect(signal: AbortSignal): Promise<Frames>;
  /** Tells the person that the connection broke or is back. */
  tell(text: string): void;
  /** The time for which a broken connection is tried again, in milliseconds. */
  readonly patienceMs: number;
  answer(request: PermissionRequest): Promise<PermissionAnswer>;
}

export interface KeptConnection {
  /**
   * Resolves to the open connection. Connects again if it broke; rejects with the reason after `patienceMs`, or when `close`
   * was called.
   */
  connected(): Promise<OpenLink>;
  latency(): number | undefined;
  close(): void;
}

const firstPauseMs = 100;
const longestPauseMs = 5_000;

/** Connects. Rejects with an `Error` for the person. */
export async function keepConnection(parts: KeepParts): Promise<KeptConnection> {
  const closing = new AbortController();
  const open = () => openLink({ ...parts, signal: closing.signal });
  let current = await open();
  let again: Promise<OpenLink> | undefined;

  async function connectAgain(): Promise<OpenLink> {
    const until = performance.now() + parts.patienceMs;
    parts.tell(`the connection to ${parts.name} broke (${current.lost()}); connecting again`);
    for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
      try {
        current = await open();
        parts.tell(`connected to ${parts.name} again`);
        return current;
      } catch (error) {
        if (closing.signal.aborted || performance.now() + pause > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  return {
    connected() {
      if (current.lost() === undefined) return Promise.resolve(current);
      again ??= connectAgain().finally(() => {
        again = undefined;
      });
      return again;
    },
    latency: () => (current.lost() === undefined ? current.latency() : undefined),
    close() {
      closing.abort();
      current.close();
    },
  };
}
