/** Exports the MCP server, which offers tools and files to clients in other programs. */
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { maxMessageBytes } from "./max-message-bytes.ts";
import type { Offer } from "./offer.ts";
import { createRounds } from "./rounds.ts";
import { serveOffer } from "./serve-offer.ts";

export type { Frames } from "../transport/frame-transport.ts";
export type { Access, AskClient, Offer, OfferedTool, SentCallMark } from "./offer.ts";
export { createRounds, type Rounds } from "./rounds.ts";
export { type FrameParts, serveOverFrames } from "./serve-frames.ts";
export { type HttpParts, type HttpService, serveOverHttp } from "./serve-http.ts";
export { callsOf, serveOffer } from "./serve-offer.ts";

/**
 * Serves the offer to the program at the other end of standard input and output. Returns a function that ends the
 * service.
 */
export function serveOverStdio(
  offer: Offer,
  version: string,
  onError: (error: Error) => void,
): () => Promise<void> {
  const rounds = createRounds();
  const transport = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: maxMessageBytes,
  });
  const served = serveStdio(() => serveOffer(offer, rounds, version), { transport, onerror: onError });
  return async () => {
    rounds.close();
    await served.close();
  };
}
