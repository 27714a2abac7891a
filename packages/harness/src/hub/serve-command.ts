/** `localharness serve`: holds the sessions of a folder for browsers and other clients. */
import { type Session, usageError } from "@localharness/engine";
import { createFetchDoor } from "@localharness/models/fetch-door";
import { trustCertificate } from "@localharness/models/trust-certificate";
import { openLink } from "@localharness/processes/children/open-link";
import {
  createPasses,
  defined,
  type Hub,
  type PermissionAnswer,
  readClientKey,
  reasonOf,
} from "@localharness/protocol";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { exitCodes } from "../commands/exit-code.ts";
import { type Composition, compose, runOptions } from "../compose/compose.ts";
import { stateFolder } from "../config/location.ts";
import { type Options, textOption } from "../config/options.ts";
import { loadSettings } from "../config/settings.ts";
import { settleTrust, type TrustAnswer } from "../permission/trust/settle-trust.ts";
import { defaultIdleMinutes } from "./idle-limit.ts";
import { type ListenPlace, readListenPlace } from "./listen-place.ts";
import { type OpenedHub, openHub } from "./open-hub.ts";
import { roomSettings } from "./room-settings.ts";
import { openServerFile, type ServerFile, serverHere, webhookKey } from "./server-file.ts";
import { readWebFiles, type WebFiles } from "./web-files.ts";
import { openWebhook, type Webhook } from "./webhook.ts";

/** A server that listens. */
export interface HubServer {
  /** The address for clients on this machine. */
  readonly address: string;
  /** The address for other machines; undefined if they cannot reach the server. */
  readonly outerAddress: string | undefined;
  /** Returns a code that pairs one browser; with `own-user` only a browser of this user. */
  offerCode(reach?: "anybody" | "own-user"): string;
  close(): Promise<void>;
}

export interface HubServerOptions extends Pick<ListenPlace, "host" | "port" | "origins" | "tls"> {
  readonly hub: Hub;
  readonly files: WebFiles;
  readToken(): Promise<string>;
  /** The time in milliseconds after which an idle session is closed; absent for never. */
  readonly idleMs?: number;
}

/** The functions that the command line gives to the command. */
export interface ServeScreen {
  /** Starts the server. Rejects with the error of the system when it cannot listen. */
  start(options: HubServerOptions): Promise<HubServer>;
  /** Tells the person something. */
  say(text: string): void;
  /** Prints a line of the command's output. */
  print(line: string): void;
  /** Draws a link that a phone can scan, if the terminal is large enough. */
  drawCode(link: string): void;
  /** Asks the person whether the folder is trusted; absent if nobody can be asked. */
  askTrust?(workspace: string, confined: boolean): Promise<TrustAnswer>;
  /** Resolves when the person ends the program. */
  interrupted(): Promise<void>;
  /** Ends the program when `end` has resolved, or after a short time if it does not resolve. */
  leave(end: () => Promise<void>): void;
}

export interface ServeCommand {
  readonly positionals: readonly string[];
  readonly flags: Options;
  readonly screen: ServeScreen;
}

const usage = "usage: localharness serve [link | token rotate | webhook key]";
/** The number of ports that are tried after the default port. */
const morePorts = 9;

/** Runs the command and returns the exit code. */
export async function runServe({ positionals, flags, screen }: ServeCommand): Promise<number> {
  const words = positionals.join(" ");
  if (words === "") return serve(flags, screen);
  if (words === "link") return printLink(flags, screen);
  if (words === "token rotate") return rotateToken(screen);
  if (words === "webhook key") {
    screen.print(webhookKey(await ownServerFile().token()));
    return exitCodes.done;
  }
  throw usageError(usage);
}

async function serve(flags: Options, screen: ServeScreen): Promise<number> {
  const { say } = screen;
  const settings = await loadSettings(flags);
  const options = { ...runOptions(flags), whileLoading: say };
  const environment = { ...process.env };
  const place = await readListenPlace(flags);
  const files = await readWebFiles();
  if (files.size === 0) {
    say("the web app is not built (npm run build:web in the checkout): only localharness attach works");
  }
  const base = await compose(settings, textOption(flags, "workspace"), options);
  const trust = await settleTrust({ ...trustParts(base, screen), flags, tell: say });
  if (trust === "leave") {
    await base.close();
    return exitCodes.done;
  }
  await base.folders.open(flags["add-dir"] ?? [], { flags, tell: say }).catch(async (error: unknown) => {
    await base.close();
    throw error;
  });
  const file = openServerFile(stateFolder(), base.journal);
  const hooks: ((session: Session) => void)[] = [answering(textOption(flags, "answer"))];
  const onOpen = (session: Session) => {
    for (const hook of hooks) hook(session);
  };
  const opened = openHub(settings, {
    base,
    trust,
    environment,
    options,
    flags,
    onOpen,
    roomSettings: () => roomSettings(settings, flags, environment),
  });
  const minutes = settings.values.idle_minutes ?? defaultIdleMinutes;
  // Sessions that are not saved are never closed when idle, because they would be lost.
  const idleMs = base.sessions === undefined || minutes === 0 ? undefined : minutes * 60_000;
  const parts = { hub: opened.hub, files, readToken: file.token, ...defined({ idleMs }) };
  const ends = endings(opened);
  try {
    const server = await listen(place, parts, { screen, file });
    ends.server = server;
    const certificate = place.tls?.cert;
    const { workspace } = base;
    await file.add({ address: server.address, workspace, pid: process.pid, ...defined({ certificate }) });
    ends.unlist = () => file.remove(server.address);
    ends.webhook = webhookOf(settings.values.webhook, file, server, base.workspace, say);
    if (ends.webhook !== undefined) hooks.push(ends.webhook.follow);
    await tellWhere(server, base, flags, screen);
    await screen.interrupted();
    screen.leave(ends.run);
    return exitCodes.done;
  } finally {
    await ends.run();
  }
}

interface Endings {
  server?: HubServer;
  webhook?: Webhook | undefined;
  unlist?: () => Promise<void>;
  /** Ends the webhook, the server and the hub, and takes the server off the list. Later calls wait for the same end. */
  run(): Promise<void>;
}

function endings(opened: OpenedHub): Endings {
  let ended: Promise<void> | undefined;
  const ends: Endings = {
    run() {
      ends.webhook?.close();
      ended ??= Promise.all([ends.server?.close(), opened.close(), ends.unlist?.()]).then(() => undefined);
      return ended;
    },
  };
  return ends;
}

function trustParts(
  { workspace, trustStore: store, preferMode, sandbox }: Composition,
  { askTrust }: ServeScreen,
) {
  const ask = askTrust && (() => askTrust(workspace, sandbox.state.kind === "on"));
  return { workspace, store, preferMode, ...defined({ ask }) };
}

/** Returns a function that gives each permission request of a session the answer of `--answer`, if there is one. */
function answering(answer: string | undefined): (session: Session) => void {
  return (session) => {
    if (answer === undefined) return;
    session.subscribe((event) => {
      if (event.type !== "permission-request") return;
      const { requestId } = event.request;
      const given = answer as PermissionAnswer;
      queueMicrotask(() => session.send({ type: "permission-answer", requestId, answer: given }));
    });
  };
}

/** Starts the server. Takes one of the next ports if the default port is taken. */
async function listen(
  { anyPort, ...place }: ListenPlace,
  parts: Omit<HubServerOptions, keyof ListenPlace>,
  { screen, file }: { readonly screen: ServeScreen; readonly file: ServerFile },
): Promise<HubServer> {
  const last = place.port + (anyPort ? morePorts : 0);
  for (let port = place.port; ; port += 1) {
    try {
      const server = await screen.start({ ...parts, ...place, port });
      if (port !== place.port) screen.say(`port ${place.port} is taken, so the server has port ${port}`);
      return server;
    } catch (error) {
      const isTaken = codeOf(error) === "EADDRINUSE";
      if (!isTaken || port === last) throw await whyNot(error, { ...place, port }, file);
    }
  }
}

async function whyNot(error: unknown, { host, port }: HubServerPlace, file: ServerFile): Promise<Error> {
  const other = "choose another one with --port";
  switch (codeOf(error)) {
    case "EADDRINUSE": {
      const servers = await file.servers();
      const ours = servers.find(({ address }) => new URL(address).port === String(port));
      const taken = `port ${port} of ${host} is taken by`;
      if (ours === undefined) return usageError(`${taken} another program: ${other}`, error);
      return usageError(
        `${taken} localharness serve for ${ours.workspace}: localharness serve link, in that folder, prints a link to it; or ${other}`,
        error,
      );
    }
    case "EACCES":
      return usageError(`port ${port} of ${host} is not open to you: ${other}`, error);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return usageError(`${host} is not an address of this machine: choose another one with --listen`, error);
    default:
      return error instanceof Error ? error : new Error(String(error));
  }
}

type HubServerPlace = Pick<ListenPlace, "host" | "port">;

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function webhookOf(
  url: string | undefined,
  file: ServerFile,
  { address, outerAddress }: HubServer,
  workspace: string,
  say: ServeScreen["say"],
): Webhook | undefined {
  if (url === undefined) return undefined;
  const server = { workspace, address: outerAddress ?? address };
  return openWebhook({ url, readKey: async () => webhookKey(await file.token()), server, say });
}

async function tellWhere(
  server: HubServer,
  base: Composition,
  flags: Options,
  screen: ServeScreen,
): Promise<void> {
  const { address, outerAddress } = server;
  const linkTo = (where: string) => `${where}/#pair=${server.offerCode()}`;
  const local = linkTo(address);
  screen.say(`serving ${base.workspace} at ${address}`);
  screen.print(local);
  screen.say(
    "the link pairs one browser within 10 minutes; localharness serve link prints another. Ctrl+C ends",
  );
  if (outerAddress !== undefined) {
    const outer = linkTo(outerAddress);
    screen.say(`other machines reach it at ${outerAddress}. This link pairs a phone:`);
    screen.drawCode(outer);
    screen.print(outer);
  }
  if (flags.open !== true) return;
  // Every user of the machine can read the arguments of the opener.
  void openBrowser(base, `${address}/#pair=${server.offerCode("own-user")}`, screen);
}

async function openBrowser(base: Composition, link: string, { say }: ServeScreen): Promise<void> {
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  const reason = await openLink({ link, opener, source: process.env, outside: base.outside() });
  if (reason !== undefined) say(`no browser was opened: ${reason}. Open this link yourself: ${link}`);
}

async function printLink(flags: Options, screen: ServeScreen): Promise<number> {
  const file = ownServerFile();
  const server = await serverHere(file, textOption(flags, "workspace"));
  const trust = server.certificate === undefined ? undefined : await trustCertificate(server.certificate);
  const door = createFetchDoor(defined({ trust }));
  const post = (path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
    door
      .fetch(`${server.address}${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body,
      })
      .catch((error: unknown) => {
        throw usageError(`the server at ${server.address} does not answer: ${reasonOf(error)}`, error);
      });
  const passes = createPasses({
    key: await readClientKey(await file.token()),
    origin: new URL(server.address).origin,
    post: (body) => post("/api/prove", body),
  });
  const pass = await passes.get().catch((error: unknown) => {
    throw usageError(reasonOf(error), error);
  });
  const response = await post("/api/codes", "{}", { Authorization: `Bearer ${pass}` });
  const reply = (await response.json()) as { readonly code?: string; readonly error?: string };
  door.close();
  if (reply.code === undefined) throw usageError(`the server at ${server.address} refused: ${reply.error}`);
  screen.print(`${server.address}/#pair=${reply.code}`);
  return exitCodes.done;
}

async function rotateToken({ say }: ServeScreen): Promise<number> {
  await ownServerFile().rotate();
  say(
    "the token is replaced: the running servers close their connections, and every browser has to be paired again",
  );
  return exitCodes.done;
}

function ownServerFile(): ServerFile {
  const folder = stateFolder();
  return openServerFile(folder, createWriteJournal(folder ?? ""));
}
