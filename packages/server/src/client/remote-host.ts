/** The `Host` of a session that a server holds: each method is one request, apart from `LocalMethods`. */
import type { CommandReport, Host, SessionChoice, SessionLink } from "@localharness/protocol";
import type { RoomState } from "../desk.ts";
import { type HostMethod, hostMethods } from "../host-methods.ts";
import type { RemoteLink } from "./remote-link.ts";
import type { Requests } from "./requests.ts";

/** The methods that need the person's own terminal, editor or clipboard. The screen's machine implements them. */
export type LocalMethods = Pick<Host, "editDraft" | "runInTerminal" | "readClipboardImage">;

export interface RemoteHostParts {
  readonly requests: Requests;
  readonly local: LocalMethods;
  /** Returns the link of the session that the screen shows. */
  current(): RemoteLink;
  open(which: SessionChoice): Promise<SessionLink>;
}

export function createRemoteHost({ requests, local, current, open }: RemoteHostParts): Host {
  const call = async (method: HostMethod, given: readonly unknown[]) => {
    const signal = given.find((arg) => arg instanceof AbortSignal);
    const args = given.filter((arg) => !(arg instanceof AbortSignal));
    const link = current();
    const path = `/api/sessions/${link.id}/host/${method}`;
    const reply = await requests.post(path, { args }, signal === undefined ? {} : { signal });
    const { result, state } = reply as { readonly result?: unknown; readonly state: RoomState };
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
    runCommand: (command, signal, report) => runCommand(requests, current().id, { command, signal, report }),
  };
}

interface PersonsCommand {
  readonly command: string;
  readonly signal: AbortSignal;
  report(text: string): void;
}

/** Runs a command on the server's machine. Rejects if it cannot run, or if the connection ends before the command. */
async function runCommand(
  requests: Requests,
  id: string,
  { command, signal, report }: PersonsCommand,
): Promise<CommandReport> {
  let end: CommandReport | undefined;
  let problem = "the link was lost before the command ended: it may still run there";
  const take = (value: unknown) => {
    const line = value as {
      readonly output?: string;
      readonly report?: CommandReport;
      readonly error?: string;
    };
    if (line.output !== undefined) report(line.output);
    end = line.report ?? end;
    problem = line.error ?? problem;
  };
  await requests.postForLines(`/api/sessions/${id}/shell`, { command }, take, signal);
  if (end === undefined) throw new Error(problem);
  return end;
}
