/**
 * Waits at the terminal until a model is found. Meanwhile it shows how to start a server, or which models are
 * available.
 */
import { folded } from "@localharness/harness/fold-lines";
import {
  type OfferParts,
  pickDemo,
  pickModel,
  type Tried,
  tryModel,
} from "@localharness/harness/offer-models";
import type { SelectedModel } from "@localharness/models";
import { openLines } from "../terminal/lines.ts";
import { plainText } from "../terminal/plain-text.ts";
import { watchInterrupts } from "./interrupts.ts";

const searchIntervalMs = 1_500;

type Missing = Extract<Tried, { kind: "none" }>;

/**
 * Returns the model that the settings select. If there is none, looks again every 1.5 s, until the model appears or the
 * person chooses an available model or the demo. Returns undefined if the person quits.
 */
export async function awaitModel(parts: OfferParts): Promise<SelectedModel | undefined> {
  const found = await tryModel(parts);
  if (found.kind === "model") return found.model;
  const lines = openLines({ input: process.stdin, output: process.stdout, onInterrupt: () => lines.close() });
  const interrupts = watchInterrupts(() => lines.close());
  const over = new AbortController();
  const shown = { missing: found };
  show(found);
  try {
    return await Promise.race([look(parts, shown, over.signal), choose(parts, shown, lines, over.signal)]);
  } finally {
    over.abort();
    interrupts.stop();
    lines.close();
  }
}

function show({ text, offered }: Missing): void {
  const waiting =
    offered.length === 0
      ? "Waiting for a model: the chat begins as soon as one is found.\n\n"
      : "Type the number or the name of a model, or wait: the chat begins as soon as the one you named is there.\n\n";
  const keys = "[d] demo, which needs no model  [q] leave";
  process.stdout.write(`${folded(`${plainText(text)}\n\n${waiting}${keys}`)}\n> `);
}

async function look(
  parts: OfferParts,
  shown: { missing: Missing },
  over: AbortSignal,
): Promise<SelectedModel | undefined> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, searchIntervalMs));
    if (over.aborted) return undefined;
    const tried = await tryModel(parts);
    // The person has chosen a model or left during the search, so nothing more may be written to the terminal.
    if (over.aborted) return undefined;
    process.stdout.write(tried.kind === "model" || tried.text !== shown.missing.text ? "\n" : "");
    if (tried.kind === "model") return tried.model;
    // The text is shown again if it changed, for example because a server started without a model.
    if (tried.text !== shown.missing.text) show(tried);
    shown.missing = tried;
  }
}

async function choose(
  parts: OfferParts,
  shown: { readonly missing: Missing },
  lines: { next(signal: AbortSignal): Promise<string | undefined> },
  over: AbortSignal,
): Promise<SelectedModel | undefined> {
  for (;;) {
    const word = (await lines.next(over))?.trim();
    const key = word?.toLowerCase();
    if (over.aborted || word === undefined || key === "q" || key === "/quit") return undefined;
    if (key === "d" || key === "demo") return pickDemo(parts);
    const { offered } = shown.missing;
    const picked = await pickModel(parts, offered, word);
    if (picked !== undefined) return picked;
    const number = offered.length === 0 ? "" : "a number, ";
    process.stdout.write(`Type ${number}d (demo) or q (leave), or wait.\n> `);
  }
}
