/** Opens one connection to a machine that lends a folder. */
import type { JsonObject, PermissionAnswer, PermissionRequest } from "@localharness/protocol";
import { isJsonObject, reasonOf } from "@localharness/protocol";
import {
  Client,
  type JSONRPCMessage,
  type ProgressCallback,
  parseJSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { anyResult } from "../connection/any-result.ts";
import { closedHere, type Frames, frameTransport } from "../transport/frame-transport.ts";

export interface OpenLink {
  /** Resolves to the result. Rejects if the other end refuses, if the time limit is over, or if the connection breaks. */
  request(
    method: string,
    params: JsonObject,
    timeoutMs: number,
    report?: (text: string) => void,
  ): Promise<JsonObject>;
  /** Returns the reason why the connection broke; undefined while it is open. */
  lost(): string | undefined;
  latency(): number | undefined;
  close(): void;
}

export interface OpenLinkParts {
  readonly version: string;
  readonly signal: AbortSignal;
  connect(signal: AbortSignal): Promise<Frames>;
  /** Answers a question about a call. */
  answer(request: PermissionRequest): Promise<PermissionAnswer>;
}

/** The revision of the protocol that both ends speak, because both are this program. */
const revision = "2026-07-28";
const startMs = 15_000;
/** Matches the progress that the library reports about its own steps, not about the call. */
const ofLibrary = /^Fulfilling input required by /;

/** Opens the connection and begins the protocol on it. Rejects with an `Error` for the person. */
export async function openLink({ version, signal, connect, answer }: OpenLinkParts): Promise<OpenLink> {
  const frames = await connect(signal);
  let lost: string | undefined;
  const transport = frameTransport<JSONRPCMessage>(frames, parseJSONRPCMessage, (reason) => {
    lost = reason;
  });
  const client = new Client(
    { name: "localharness", version },
    {
      capabilities: { elicitation: {} },
      versionNegotiation: { mode: { pin: revision } },
      inputRequired: { maxRounds: 16 },
    },
  );
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    const request = (params._meta as JsonObject | undefined)?.["localharness/request"];
    if (!isJsonObject(request ?? null)) return { action: "decline" };
    return { action: "accept", content: { answer: await answer(request as unknown as PermissionRequest) } };
  });
  try {
    await client.connect(transport as Transport, { timeout: startMs, signal });
  } catch (error) {
    frames.close(1000, "done");
    // The library closes the transport before it rejects, so that the reason may be in its error only.
    const reason = lost === undefined || lost === closedHere ? reasonOf(error) : lost;
    throw new Error(reason, { cause: error });
  }
  return {
    async request(method, params, timeout, report) {
      const onprogress: ProgressCallback = ({ message = "" }) => {
        if (!ofLibrary.test(message)) report?.(message);
      };
      return await client.request({ method, params }, anyResult, {
        timeout,
        ...(report === undefined ? {} : { onprogress }),
      });
    },
    lost: () => lost,
    latency: () => frames.latency(),
    close: () => void client.close().catch(() => undefined),
  };
}
