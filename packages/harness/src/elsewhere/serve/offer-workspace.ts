/**
 * Offers the tools and files of a workspace to other programs. The call desk judges and runs each of their requests.
 */
import {
  type CallDesk,
  createRegistry,
  type DeskCall,
  freshId,
  type PersonsAnswer,
  type Tool,
} from "@localharness/engine";
import type { Access, Offer, SentCallMark } from "@localharness/mcp/server";
import {
  defined,
  type EventBody,
  type JsonObject,
  type PermissionRequest,
  type ToolResult,
} from "@localharness/protocol";
import type { Workbench } from "../../compose/workbench.ts";

export function offerWorkspace(bench: Workbench, desk: CallDesk): Offer {
  /** Runs one call of a tool that was created only for this call. */
  async function runAlone(tool: Tool, args: JsonObject, access: Access): Promise<ToolResult> {
    const registry = createRegistry([tool]);
    return await desk.run({ name: tool.name, arguments: args, registry, ...deskAccess(access) });
  }
  return {
    root: bench.workspace,
    mask: bench.mask,
    tools: () =>
      desk.registry.definitions().map(({ name, description, parameters }) => ({
        name,
        description,
        inputSchema: parameters as unknown as JsonObject,
        readOnly: desk.registry.find(name)?.tool.readOnly === true,
      })),
    call(name, args, access) {
      const { id, turn } = access.call ?? ownMark();
      return desk.run({ id, turnId: turn, name, arguments: args, ...deskAccess(access) });
    },
    async list(access) {
      let paths: readonly string[] = [];
      const take = (found: readonly string[]) => {
        paths = found;
      };
      const result = await runAlone(bench.wholeList(take), {}, access);
      return result.success ? paths : result;
    },
    async read(path, access) {
      let bytes: Uint8Array | undefined;
      const take = (content: Uint8Array) => {
        bytes = content;
      };
      const result = await runAlone(bench.wholeFile(take), { path }, access);
      return bytes === undefined || !result.success ? result : bytes;
    },
  };
}

/** Returns the id of a call and of its turn. A client that knows no turns gets a new turn for each call. */
function ownMark(): Pick<SentCallMark, "id" | "turn"> {
  const id = `call_${freshId().slice(-11)}`;
  return { id, turn: id };
}

/**
 * Returns the parts of a desk call that connect it with the other program: the signal, the question to the person, and
 * the progress.
 */
function deskAccess({ signal, ask, report }: Access): Pick<DeskCall, "signal" | "emit" | "answer"> {
  const requests = new Map<string, PromiseWithResolvers<PermissionRequest>>();
  const requestOf = (id: string) => {
    const known = requests.get(id) ?? Promise.withResolvers<PermissionRequest>();
    requests.set(id, known);
    return known;
  };
  const emit = (event: EventBody) => {
    if (event.type === "permission-request") {
      // The answer that comes back from another program has no place for an offer.
      const { offers: _offers, ...request } = event.request;
      requestOf(request.requestId).resolve(request);
    }
    if (event.type === "tool-progress") report?.(event.text);
  };
  const answer =
    ask === undefined
      ? undefined
      : async (requestId: string, stop: AbortSignal): Promise<PersonsAnswer> => ({
          answer: await ask(await requestOf(requestId).promise, stop),
        });
  return { signal, emit, ...defined({ answer }) };
}
