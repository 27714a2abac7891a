/** What the screen may ask of the program around it, made from a composition. */
import type { Session } from "@localharness/engine";
import type { Host, SessionLink } from "@localharness/terminal";
import type { Composition } from "../compose.ts";
import type { Trust } from "../trust/settle-trust.ts";

/** The host, and the session that is shown: `current` is closed when another one is opened. */
export interface OpenedHost {
  readonly host: Host;
  open(): SessionLink;
  current(): Session;
}

export function openHost(
  composition: Composition,
  trust: Trust,
  watch: (session: Session) => void,
): OpenedHost {
  let session: Session | undefined;
  const open = (): SessionLink => {
    const before = session;
    const opened = composition.newSession(true, trust);
    session = opened;
    watch(opened);
    if (before !== undefined) void before.close();
    return linkTo(opened);
  };
  return {
    host: { ...notThere, open: async (which) => (which.kind === "new" ? open() : missing()) },
    open,
    current: () => session ?? composition.newSession(true, trust),
  };
}

export function linkTo(session: Session): SessionLink {
  return {
    id: session.id,
    history: [],
    subscribe: (listener) => session.subscribe(listener),
    send: (command) => session.send(command),
  };
}

async function missing(): Promise<never> {
  throw new Error("this is not possible in this version");
}

const notThere: Host = {
  open: missing,
  listModels: missing,
  useModel: missing,
  listTools: missing,
  switchTool: missing,
  listRules: missing,
  forgetRule: missing,
  listSessions: missing,
  renameSession: missing,
  deleteSession: missing,
  listForks: missing,
  exportSession: missing,
  listContext: missing,
  undo: missing,
  redo: missing,
  listSettings: missing,
  changeSetting: missing,
  completePath: missing,
  listCustomCommands: async () => [],
  expandCustomCommand: missing,
  runCommand: missing,
  describeProgram: missing,
  readHistory: async () => [],
  readBranch: async () => undefined,
  rememberMessage: async () => undefined,
};
