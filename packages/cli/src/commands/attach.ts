/** `localharness attach`: opens the terminal app on a session that a server holds. */
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { usageError } from "@localharness/engine";
import { stateFolder } from "@localharness/harness/config/location";
import { loadSettings } from "@localharness/harness/config/settings";
import { exitCodes } from "@localharness/harness/exit-code";
import { openServerFile, serverHere } from "@localharness/harness/hub/server-file";
import { readClipboardImage } from "@localharness/harness/images/persons-image";
import { openWorkbench } from "@localharness/harness/workbench";
import { createFetchDoor } from "@localharness/models/fetch-door";
import { trustCertificate } from "@localharness/models/trust-certificate";
import { reasonOf } from "@localharness/protocol";
import {
  attach,
  type FirstSession,
  type LocalMethods,
  redeemCode,
  type ServerPlace,
} from "@localharness/server/client";
import { chooseTheme, runTerminal } from "@localharness/terminal";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { type Invocation, textFlag } from "../arguments/parse.ts";

export async function runAttach({ positionals, flags }: Invocation): Promise<number> {
  const [given] = positionals;
  const { values, ...settings } = await loadSettings(flags);
  const place = await placeOf(given, textFlag(flags, "tls-cert"));
  const bench = await openWorkbench({ values, ...settings }, undefined, "minimal");
  const local: LocalMethods = {
    editDraft: (draft) => bench.editText(draft),
    readClipboardImage: () => readClipboardImage(bench),
    async runInTerminal() {
      throw usageError("a program that needs the terminal runs on the server's machine only");
    },
  };
  try {
    const attached = await attach(place, firstOf(flags), local).catch((error: unknown) => {
      throw usageError(reasonOf(error), error);
    });
    const { link, host, facts } = attached;
    const end = await runTerminal({
      link,
      host,
      facts: {
        sandbox: await host.readSandbox().catch(() => ""),
        iterationLimit: facts.iterationLimit,
        editorKeys: values.editor_keys ?? "default",
      },
      greeting: [`${facts.workspace} at ${place.address}. /quit leaves the session running.`],
      warnings: [],
      firstMessage: "",
      ...(flags.resume === true ? { firstCommand: "/resume" } : {}),
      settings: values,
      theme: chooseTheme(values.theme ?? "terminal"),
    });
    attached.close();
    return end === "left" ? exitCodes.done : exitCodes.interrupted;
  } finally {
    await bench.close();
  }
}

function firstOf(flags: Invocation["flags"]): FirstSession {
  const name = textFlag(flags, "resume");
  if (name !== undefined) return { kind: "named", name };
  return { kind: flags.continue === true ? "newest" : "opened-last" };
}

/**
 * Returns the address and the key of a server. `given` is a link, whose one-time code is exchanged for the key; undefined
 * means the server on this machine that `serverHere` finds. `certFile` names a certificate to trust, only for a link.
 */
async function placeOf(given: string | undefined, certFile: string | undefined): Promise<ServerPlace> {
  const name = `terminal on ${hostname()}`;
  if (given === undefined) {
    const folder = stateFolder();
    const file = openServerFile(folder, createWriteJournal(folder ?? ""));
    const { address, certificate } = await serverHere(file);
    return { address, key: await file.token(), name, ...(await trusting(certificate)) };
  }
  const [, address = "", code = ""] = /^(https?:\/\/[^/#]+)\/?(?:#pair=([\w-]+))?$/.exec(given) ?? [];
  if (address === "" || code === "") {
    throw usageError("expected the link that localharness serve link prints on the server's machine");
  }
  const place = { address, name, ...(await trusting(certFile && (await readCertificate(certFile)))) };
  const key = await redeemCode(place, code).catch((error: unknown) => {
    throw usageError(reasonOf(error), error);
  });
  return { ...place, key };
}

/** Returns the `fetch` and the TLS options that trust this certificate; neither if there is no certificate. */
async function trusting(certificate: string | undefined): Promise<Pick<ServerPlace, "fetch" | "tls">> {
  if (certificate === undefined) return {};
  const trust = await trustCertificate(certificate);
  // The WebSocket connects directly, and so do these requests.
  return { fetch: createFetchDoor({ trust, environment: {} }).fetch, tls: trust };
}

async function readCertificate(path: string): Promise<string> {
  try {
    const text = await readFile(path, "utf8");
    await trustCertificate(text);
    return text;
  } catch (error) {
    throw usageError(`${path} is not a certificate in PEM format: ${reasonOf(error)}`, error);
  }
}
