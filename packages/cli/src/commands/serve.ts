/** `localharness serve`: holds the sessions of a folder for browsers and other clients. */
import { readFile } from "node:fs/promises";
import { type Session, usageError } from "@localharness/engine";
import { compose, runOptions } from "@localharness/harness/compose";
import { stateFolder } from "@localharness/harness/config/location";
import { loadSettings } from "@localharness/harness/config/settings";
import { exitCodes } from "@localharness/harness/exit-code";
import { openHub } from "@localharness/harness/hub/open-hub";
import { openServerFile, type ServerFile } from "@localharness/harness/hub/server-file";
import { readWebFiles } from "@localharness/harness/hub/web-files";
import { settleTrust, type TrustAnswer } from "@localharness/harness/trust/settle-trust";
import { defined, reasonOf } from "@localharness/protocol";
import { type RunningServer, type ServerOptions, startServer } from "@localharness/server";
import { createWriteJournal } from "@localharness/tools";
import { type Invocation, textFlag } from "../arguments/parse.ts";
import { answerRequests } from "../modes/answer-requests.ts";
import { watchInterrupts } from "../modes/interrupts.ts";
import { statedAnswer } from "../modes/person.ts";
import { askTrust } from "../terminal/ask-trust.ts";
import { openLines } from "../terminal/lines.ts";
import { createTextOutput } from "../terminal/output.ts";
import { plainText } from "../terminal/plain-text.ts";

export async function runServe(invocation: Invocation): Promise<number> {
  const [action, word] = invocation.positionals;
  if (action === "link") return printLink();
  if (action === "token" && word === "rotate") return rotateToken();
  if (action !== undefined) throw usageError("usage: localharness serve [link | token rotate]");
  return serve(invocation);
}

async function serve({ flags }: Invocation): Promise<number> {
  const settings = await loadSettings(flags);
  const options = { ...runOptions(flags), whileLoading: say };
  const environment = { ...process.env };
  const place = await placeOf(flags);
  const files = await readWebFiles();
  if (files.size === 0) {
    say("the web app is not built (npm run build:web in the checkout): only localharness attach works");
  }
  const base = await compose(settings, textFlag(flags, "workspace"), options);
  const { workspace, trustStore: store, preferMode, sandbox } = base;
  const ask = process.stdin.isTTY ? () => askHere(workspace, sandbox.state.kind === "on") : undefined;
  const trust = await settleTrust({ workspace, store, flags, tell: say, preferMode, ...defined({ ask }) });
  if (trust === "leave") {
    await base.close();
    return exitCodes.done;
  }
  const answer = statedAnswer(flags);
  const onOpen = (session: Session) => {
    if (answer !== undefined) answerRequests(session, async () => ({ answer }));
  };
  const opened = openHub({ settings, base, trust, environment, options, onOpen });
  const token = openServerFile(stateFolder(), base.journal);
  let running: RunningServer | undefined;
  try {
    running = await startServer({ hub: opened.hub, files, readToken: token.token, reportBug, ...place });
    await token.setAddress(running.address);
    say(`serving ${workspace} at ${running.address}`);
    process.stdout.write(`${running.offerLink()}\n`);
    say("the link pairs one browser within 10 minutes; localharness serve link prints another. Ctrl+C ends");
    if (flags.open === true) await openBrowser(base, running.offerLink());
    await new Promise<void>((resolve) => watchInterrupts(() => resolve()));
    return exitCodes.done;
  } finally {
    await token.setAddress("");
    await Promise.all([running?.close(), opened.close()]);
  }
}

/**
 * Returns where to listen (address, port and host names), and the certificate if there is one. An address other than
 * loopback requires a certificate.
 */
async function placeOf(
  flags: Invocation["flags"],
): Promise<Pick<ServerOptions, "host" | "port" | "names" | "tls">> {
  const listen = textFlag(flags, "listen") ?? `127.0.0.1:${flags.port ?? 4096}`;
  const [, host = "", port = ""] = /^\[?([^\]]+)\]?:(\d+)$/.exec(listen) ?? [];
  if (host === "") {
    throw usageError(`--listen needs an address and a port, such as 127.0.0.1:4096, got ${listen}`);
  }
  const certPath = textFlag(flags, "tls-cert");
  const keyPath = textFlag(flags, "tls-key");
  const names = textFlag(flags, "host-name")?.split(",");
  if ((certPath === undefined) !== (keyPath === undefined)) {
    throw usageError("--tls-cert and --tls-key go together");
  }
  const isLoopback = host === "localhost" || host === "::1" || host.startsWith("127.");
  if (!isLoopback && certPath === undefined) {
    throw usageError(`listening on ${host} needs --tls-cert and --tls-key, because others could read along`);
  }
  const read = (path: string) =>
    readFile(path, "utf8").catch((error: unknown) => {
      throw usageError(`${path} cannot be read: ${reasonOf(error)}`, error);
    });
  const tls =
    certPath === undefined || keyPath === undefined
      ? undefined
      : { cert: await read(certPath), key: await read(keyPath) };
  return { host, port: Number(port), ...defined({ names, tls }) };
}

async function printLink(): Promise<number> {
  const file = ownServerFile();
  const address = await file.address();
  const response = await fetch(`${address}/api/codes`, {
    method: "POST",
    headers: { Authorization: `Bearer ${await file.token()}`, "Content-Type": "application/json" },
    body: "{}",
  }).catch(() => undefined);
  if (address === "" || response?.ok !== true) {
    throw usageError("no server runs: localharness serve starts one");
  }
  const { code } = (await response.json()) as { code: string };
  process.stdout.write(`${address}/#pair=${code}\n`);
  return exitCodes.done;
}

async function rotateToken(): Promise<number> {
  await ownServerFile().rotate();
  say(
    "the token is replaced: the running server closes its connections, and every browser has to be paired again",
  );
  return exitCodes.done;
}

function ownServerFile(): ServerFile {
  const folder = stateFolder();
  return openServerFile(folder, createWriteJournal(folder ?? ""));
}

async function askHere(workspace: string, confined: boolean): Promise<TrustAnswer> {
  const lines = openLines({ input: process.stdin, output: process.stdout, onInterrupt: () => lines.close() });
  try {
    return await askTrust({ workspace, confined }, createTextOutput(process.stdout), lines);
  } finally {
    lines.close();
  }
}

async function openBrowser(base: Awaited<ReturnType<typeof compose>>, link: string): Promise<void> {
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  const report = await base.runCommand(`${opener} '${link}'`, AbortSignal.timeout(5_000), () => undefined);
  if (report.exitCode !== 0) say(`no browser could be opened with ${opener}: open the link yourself`);
}

function reportBug(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${plainText(text)}\n`);
}

function say(text: string): void {
  process.stderr.write(`· ${plainText(text)}\n`);
}
