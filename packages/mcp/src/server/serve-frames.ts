/** Serves an offer to one client over a connection of text frames. */
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type Frames, frameTransport } from "../transport/frame-transport.ts";
import type { Offer } from "./offer.ts";
import { createRounds } from "./rounds.ts";
import { serveOffer } from "./serve-offer.ts";

export interface FrameParts {
  readonly version: string;
  onError(error: Error): void;
  /** Called once, when the connection has ended. */
  onClosed(reason: string): void;
}

/** Serves until the connection ends, and then ends all work that waits for an answer. */
export function serveOverFrames(
  offer: Offer,
  frames: Frames,
  { version, onError, onClosed }: FrameParts,
): void {
  const rounds = createRounds();
  const transport = frameTransport<JSONRPCMessage>(frames, parseJSONRPCMessage, (reason) => {
    rounds.close();
    onClosed(reason);
  });
  serveStdio(() => serveOffer(offer, rounds, version), {
    transport: transport as Transport,
    onerror: onError,
  });
}
