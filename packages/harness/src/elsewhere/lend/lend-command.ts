/** `localharness lend`: lends one folder of this machine to this program on other machines. */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { usageError } from "@localharness/engine";
import type { Frames } from "@localharness/mcp/server";
import { reasonOf, visibleLine } from "@localharness/protocol";
import { type Borrower, borrowerKind, type LentPlace, placeKind } from "@localharness/store/lent/machines";
import { openRecordFile, type RecordFile } from "@localharness/store/lent/record-file";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { exitCodes } from "../../commands/exit-code.ts";
import { folded } from "../../commands/fold-lines.ts";
import { ownFolder } from "../../compose/open-resources.ts";
import { warn } from "../../compose/warn.ts";
import { openWorkbench, type Workbench } from "../../compose/workbench.ts";
import { configFolder } from "../../config/location.ts";
import type { Options } from "../../config/options.ts";
import { loadSettings } from "../../config/settings.ts";
import { runRules } from "../../permission/run-rules/run-rules.ts";
import { settleTrust } from "../../permission/trust/settle-trust.ts";
import { borrowerOf, type Lending, lendFolder } from "./lend-folder.ts";
import { openPairing, sendCode } from "./pairing.ts";
import { stdioFrames } from "./stdio-frames.ts";

export interface LendCommand {
  readonly positionals: readonly string[];
  readonly flags: Options & {
    readonly listen?: string | number | true;
    readonly stdio?: string | number | true;
    readonly "tls-cert"?: string | number | true;
    readonly "tls-key"?: string | number | true;
  };
}

const defaultListen = "127.0.0.1:4178";
/** The name of the borrower that is connected over standard input and output. */
const overStdio = "standard input";

/** Runs the command and returns the exit code. */
export async function runLend({ positionals, flags }: LendCommand): Promise<number> {
  const [action, ...words] = positionals;
  if (action === "list" && words.length === 0) return list();
  if (action === "revoke" && words.length === 1) return revoke(words[0] ?? "");
  if (action === "pair" && (words.length === 2 || words.length === 3)) return pair(words);
  if (words.length > 0) {
    throw usageError(
      "usage: localharness lend [DIR] | lend list | lend revoke NAME | lend pair URL CODE [NAME]",
    );
  }
  return lend(action, flags);
}

async function lend(folder: string | undefined, flags: LendCommand["flags"]): Promise<number> {
  const settings = await loadSettings(flags);
  const address = readAddress(textValue(flags.listen) ?? defaultListen);
  const tls = readTls(textValue(flags["tls-cert"]), textValue(flags["tls-key"]));
  const bench = await openWorkbench(settings, folder, "all", { allowed: runRules(flags.allow) });
  try {
    const store = bench.trustStore;
    const trust = await settleTrust({
      workspace: bench.workspace,
      store,
      flags,
      preferMode: bench.preferMode,
      tell,
    });
    const lending = lendFolder({ bench, settings, trust: trust === "leave" ? "reading" : trust, tell });
    const ended = untilSignal();
    try {
      if (flags.stdio === true) {
        const frames = stdioFrames();
        await Promise.race([lending.serve(overStdio, frames), ended]);
        return exitCodes.done;
      }
      const close = await listenFor(lending, bench, address, tls);
      const code = await ended;
      await close();
      return code;
    } finally {
      await lending.close();
      await bench.endChildren();
    }
  } finally {
    await bench.close();
  }
}

interface Address {
  readonly host: string;
  readonly port: number;
}
type Tls = { readonly cert: string; readonly key: string };

/** Listens until the returned function is called. */
async function listenFor(
  lending: Lending,
  bench: Workbench,
  { host, port }: Address,
  tls: Tls | undefined,
): Promise<() => Promise<void>> {
  const { listen } = await import("@localharness/models/listen-door");
  const borrowers = openRecordFile(configFolder(), borrowerKind, bench.journal, tell);
  let known = await borrowers.list();
  const isKnown = (name: string) => known.some((one) => one.name === name && one.folder === bench.workspace);
  const pairing = openPairing({ borrowers, folder: bench.workspace, tell });
  const listening = await listen<string>({
    host,
    port,
    ...(tls === undefined ? {} : { tls }),
    async authorize(request) {
      known = await borrowers.list();
      return borrowerOf(request, known, bench.workspace);
    },
    onRequest: pairing.answer,
    sockets: {
      path: "/ws",
      take: (socket, borrower) => serveOrRefuse(lending, borrower, socket),
    },
  }).catch((error: unknown) => {
    throw usageError(listenProblem(error, { host, port }), error);
  });
  const watch = setInterval(async () => {
    known = await borrowers.list();
    lending.cutUnless(isKnown);
  }, revokeMs);
  const url = `${listening.address}`;
  print(`lending ${bench.workspace} at ${url}`);
  print(`to pair a machine, run there within ten minutes: localharness lend pair ${url} ${pairing.code}`);
  return async () => {
    clearInterval(watch);
    await listening.close();
  };
}

/** Serves a connection, or closes it if the log of the borrower's calls cannot be opened. */
function serveOrRefuse(lending: Lending, borrower: string, frames: Frames): void {
  lending.serve(borrower, frames).catch((error: unknown) => {
    tell(`${borrower} cannot be served: ${reasonOf(error)}`);
    frames.close(failedCode, "the log of your calls cannot be opened there");
  });
}

/** The close code of the WebSocket of a borrower that cannot be served. */
const failedCode = 1011;

/** The interval, in milliseconds, at which revoked borrowers are found and cut off. */
const revokeMs = 1_000;

function listenProblem(error: unknown, { host, port }: Address): string {
  const reason = reasonOf(error);
  return /TLS is needed/.test(reason)
    ? `${host} can be reached by other machines: give --tls-cert and --tls-key, or lend at 127.0.0.1 and use ssh (docs/lend.md)`
    : `cannot listen at ${host}:${port}: ${reason}`;
}

function readAddress(text: string): Address {
  const [, host, port] = /^(\[[0-9a-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw usageError(`--listen expects ADDRESS:PORT, such as ${defaultListen}, got ${text}`);
  }
  return { host, port: Number(port) };
}

function readTls(cert: string | undefined, key: string | undefined): Tls | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw usageError("--tls-cert and --tls-key belong together");
  const read = (path: string) => {
    try {
      return readFileSync(path, "utf8");
    } catch (error) {
      throw usageError(`${path} cannot be read: ${reasonOf(error)}`, error);
    }
  };
  return { cert: read(cert), key: read(key) };
}

async function list(): Promise<number> {
  return withFiles(async ({ borrowers, places }) => {
    const lent = await borrowers.list();
    const used = await places.list();
    for (const { name, folder, paired } of lent) {
      print(`${name} may use ${folder}, paired ${new Date(paired).toISOString().slice(0, 10)}`);
    }
    for (const { name, url } of used) print(`--workspace ${name} is ${url}`);
    if (lent.length + used.length === 0) print("no machine is paired: localharness lend shows how");
    return exitCodes.done;
  });
}

async function revoke(name: string): Promise<number> {
  return withFiles(async ({ borrowers, places }) => {
    const isOther = (one: { readonly name: string }) => one.name !== name;
    const lent = await borrowers.change((all) => all.filter(isOther));
    const used = await places.change((all) => all.filter(isOther));
    const known = [...lent, ...used].some((one) => one.name === name);
    print(known ? `revoked: ${name}` : `there is no machine ${name}; localharness lend list shows them`);
    return known ? exitCodes.done : exitCodes.error;
  });
}

async function pair([address = "", code = "", wanted]: readonly string[]): Promise<number> {
  const url = address.replace(/\/+$/, "");
  if (!/^wss?:\/\/[^/]+$/.test(url) || !URL.canParse(url)) {
    throw usageError(`expected ws://ADDRESS:PORT or wss://ADDRESS:PORT, got ${address}`);
  }
  const name = wanted ?? new URL(url).hostname.replace(/[^\w.-]/g, "");
  if (!/^[\w.-]{1,40}$/.test(name)) {
    throw usageError(`a name has 1 to 40 letters, digits, ".", "_" or "-": ${name}`);
  }
  return withFiles(async ({ places }) => {
    const { createFetchDoor } = await import("@localharness/models/fetch-door");
    const door = createFetchDoor();
    const token = await sendCode(door.fetch, url, code, hostname()).finally(() => door.close());
    await places.change((all) => [...all.filter((one) => one.name !== name), { name, url, token }]);
    print(`paired: localharness --workspace ${name}`);
    return exitCodes.done;
  });
}

async function withFiles<T>(
  work: (files: {
    readonly borrowers: RecordFile<Borrower>;
    readonly places: RecordFile<LentPlace>;
  }) => Promise<T>,
): Promise<T> {
  const journal = createWriteJournal(ownFolder());
  const folder = configFolder();
  try {
    return await work({
      borrowers: openRecordFile(folder, borrowerKind, journal, tell),
      places: openRecordFile(folder, placeKind, journal, tell),
    });
  } finally {
    journal.close();
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Resolves to the exit code when a signal arrives. */
function untilSignal(): Promise<number> {
  return new Promise((resolve) => {
    for (const name of signals) process.once(name, () => resolve(exitCodes.interrupted));
  });
}

function textValue(value: string | number | true | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function print(text: string): void {
  process.stdout.write(folded(`${visibleLine(text)}\n`));
}

/** Shows the owner a message. */
function tell(text: string): void {
  warn(text, "·");
}
