/** The `Host` of a session that a server holds: each method is one request, apart from `LocalMethods`. */
import type { Host, HostMethod, SessionChoice, SessionLink } from "@localharness/protocol";
import type { ServerClient } from "@localharness/protocol/server-client";
import { hostMethods } from "../host-methods.ts";
import type { RemoteLink } from "./remote-link.ts";

/** The methods that need the person's own terminal, editor or clipboard. The screen's machine implements them. */
export type LocalMethods = Pick<Host, "editDraft" | "runInTerminal" | "readClipboardImage">;

export interface RemoteHostParts {
  readonly client: ServerClient;
  readonly local: LocalMethods;
  /** Returns the link of the session that the screen shows. */
  current(): RemoteLink;
  open(which: SessionChoice): Promise<SessionLink>;
}

export function createRemoteHost({ client, local, current, open }: RemoteHostParts): Host {
  const call = async (method: HostMethod, given: readonly unknown[]) => {
    const signal = given.find((arg) => arg instanceof AbortSignal);
    const args = given.filter((arg) => !(arg instanceof AbortSignal));
    const link = current();
    const { result, state } = await client.call(link.id, method, args, signal);
    link.takeState(state);
    return result;
  };
  const names = Object.keys(hostMethods) as HostMethod[];
  const methods = Object.fromEntries(
    names.map((name) => [name, (...args: readonly unknown[]) => call(name, args)]),
  ) as unknown as Pick<Host, HostMethod>;
  return {
    ...methods,
    ...local,
    open,
    runCommand: (command, signal, report) => client.shell(current().id, command, { signal, report }),
  };
}
