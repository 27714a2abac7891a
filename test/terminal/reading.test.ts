/** Checks that the working line shows how far the server has read a prompt. */
import { expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { serveModel } from "../serve-model.ts";
import { openTerminal } from "./open-terminal.ts";

test.skipIf(!hasScript())("the working line counts up, and an interrupt ends it", async () => {
  const at = (processed: number) => ({ total: 12_000, cache: 800, processed });
  const server = await serveModel([
    { text: "Yes.", promptProgress: [at(800), at(3_200)], faults: [{ kind: "stall", afterEvents: 2 }] },
  ]);
  const terminal = await openTerminal({ server, args: ["--provider", "llamacpp"] });
  terminal.type("Read on.");
  terminal.press("enter");
  await terminal.waitFor("reading the prompt: 3,200 of 12,000 tokens, 800 from cache");
  terminal.press("esc");
  expect(await terminal.waitFor("interrupted")).not.toContain("reading the prompt");
  terminal.close();
});
