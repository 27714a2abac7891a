/** `localharness attach`: opens the terminal app on a session that a server holds. */
import { hostname } from "node:os";
import { usageError } from "@localharness/engine";
import { stateFolder } from "@localharness/harness/config/location";
import { loadSettings } from "@localharness/harness/config/settings";
import { exitCodes } from "@localharness/harness/exit-code";
import { openServerFile, serverHere } from "@localharness/harness/hub/server-file";
import { readClipboardImage } from "@localharness/harness/images/persons-image";
import { openWorkbench } from "@localharness/harness/workbench";
import { reasonOf } from "@localharness/protocol";
import {
  attach,
  createRequests,
  type FirstSession,
  type LocalMethods,
  type ServerPlace,
} from "@localharness/server/client";
import { chooseTheme, runTerminal } from "@localharness/terminal";
import { createWriteJournal } from "@localharness/tools";
import { type Invocation, textFlag } from "../arguments/parse.ts";

export async function runAttach({ positionals, flags }: Invocation): Promise<number> {
  const [given] = positionals;
  const { values, ...settings } = await loadSettings(flags);
  const place = await placeOf(given);
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
        sandbox: facts.confined ? "sandbox" : "no sandbox",
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
 * Returns the address and key of a server: of the server that runs here, or of the server that a link with a one-time
 * code names.
 */
async function placeOf(given: string | undefined): Promise<ServerPlace> {
  const name = `terminal on ${hostname()}`;
  if (given === undefined) {
    const folder = stateFolder();
    const file = openServerFile(folder, createWriteJournal(folder ?? ""));
    const { address } = await serverHere(file);
    return { address, key: await file.token(), name };
  }
  const [, address = "", code = ""] = /^(https?:\/\/[^/#]+)\/?(?:#pair=([\w-]+))?$/.exec(given) ?? [];
  if (address === "" || code === "") {
    throw usageError("expected the link that localharness serve link prints on the server's machine");
  }
  const reply = await createRequests({ address, key: "", name })
    .post("/api/pair", { code })
    .catch((error: unknown) => {
      throw usageError(reasonOf(error), error);
    });
  return { address, key: (reply as { readonly key: string }).key, name };
}
