/** Waits at the terminal until a model server is found, and shows meanwhile how to start one. */
import { HarnessError } from "@localharness/engine";
import type { Settings } from "@localharness/harness/config/settings";
import { type ModelFiles, selectModel } from "@localharness/harness/select-model";
import type { SelectedModel } from "@localharness/models";
import { openLines } from "../terminal/lines.ts";
import { plainText } from "../terminal/plain-text.ts";
import { watchInterrupts } from "./interrupts.ts";

const searchIntervalMs = 1_500;

export interface AwaitOptions {
  readonly settings: Settings;
  readonly files: ModelFiles;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Returns the model that the settings select. When none is found, looks again every 1.5 s until there is one or the person
 * chooses the demo. Returns undefined when the person quits.
 */
export async function awaitModel(options: AwaitOptions): Promise<SelectedModel | undefined> {
  const found = await tryOnce(options);
  if (found.kind === "model") return found.model;
  const lines = openLines({ input: process.stdin, output: process.stdout, onInterrupt: () => lines.close() });
  const interrupts = watchInterrupts(() => lines.close());
  const over = new AbortController();
  process.stdout.write(`${plainText(found.message)}\n\n${waitingText}`);
  try {
    return await Promise.race([
      look(options, found.message, over.signal),
      choose(options, lines, over.signal),
    ]);
  } finally {
    over.abort();
    interrupts.stop();
    lines.close();
  }
}

const waitingText =
  "Waiting for a model: the chat begins as soon as one is found.\n\n[d] demo, which needs no model  [q] leave\n> ";

type Tried =
  | { readonly kind: "model"; readonly model: SelectedModel }
  | { readonly kind: "none"; readonly message: string };

async function tryOnce({ settings, files, environment }: AwaitOptions): Promise<Tried> {
  try {
    return { kind: "model", model: await selectModel(settings, files, environment) };
  } catch (error) {
    if (!(error instanceof HarnessError) || error.code !== "model-unknown") throw error;
    return { kind: "none", message: error.message };
  }
}

async function look(
  options: AwaitOptions,
  shown: string,
  over: AbortSignal,
): Promise<SelectedModel | undefined> {
  for (let message = shown; ; ) {
    await new Promise((resolve) => setTimeout(resolve, searchIntervalMs));
    if (over.aborted) return undefined;
    const tried = await tryOnce(options);
    // The person has chosen meanwhile, so nothing more may be written to the terminal.
    if (over.aborted) return undefined;
    if (tried.kind === "model") {
      process.stdout.write("\n");
      return tried.model;
    }
    // Shown again when it changed, for example because a server started without a model.
    if (tried.message !== message) process.stdout.write(`\n${plainText(tried.message)}\n> `);
    message = tried.message;
  }
}

async function choose(
  options: AwaitOptions,
  lines: { next(signal: AbortSignal): Promise<string | undefined> },
  over: AbortSignal,
): Promise<SelectedModel | undefined> {
  for (;;) {
    const word = (await lines.next(over))?.trim().toLowerCase();
    if (over.aborted || word === undefined || word === "q" || word === "/quit") return undefined;
    if (word === "d" || word === "demo") {
      const { provider: _server, host: _address, ...values } = options.settings.values;
      const settings = { ...options.settings, values: { ...values, model: "demo" } };
      return selectModel(settings, options.files, options.environment);
    }
    process.stdout.write("Type d (demo) or q (leave), or wait.\n> ");
  }
}
