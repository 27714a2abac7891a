/**
 * Checks that quoted calls do not run unasked: a model reads a file that contains a call and shows it, in every format, with
 * every way to quote and in every mode, once with native calls and once (not in mode `bypass`) with calls in text. Also
 * checks that honest calls run unasked, and that no honest recorded call counts as a copy.
 */
import { join } from "node:path";
import { detect, formats } from "@localharness/detect";
import { createQuotedCalls, createRegistry, defineTool, type Tool } from "@localharness/engine";
import { findCalls } from "@localharness/models";
import { isJsonObject, type ModelMessage, permissionModes } from "@localharness/protocol";
import { honestWays, quotedCall, quotingWays, showCall } from "../../packages/models/test/quoted-session.ts";
import { type Case, optionsOf, readCases } from "./case.ts";

interface Counts {
  rows: number;
  ran: number;
  asked: number;
  /** Honest calls that did not run exactly once, or were asked about. */
  lost: number;
}

/**
 * Runs the checks. Resolves to 0 if no quoted call ran unasked, no honest call was lost or asked about, and no recorded call
 * counted as a copy, else to 1.
 */
export async function runQuoted(folder: string): Promise<number> {
  const counts: Counts = { rows: 0, ran: 0, asked: 0, lost: 0 };
  for (const [way, quote] of Object.entries(quotingWays)) await runWay(way, quote, counts);
  for (const word of Object.values(honestWays)) await runHonest(word, counts);
  const { calls, taken } = await copiesAmong(await readCases(join(folder, "toolcalls.jsonl")));
  console.log(`honest calls of toolcalls: ${calls}, counted as copies: ${taken.length}`);
  for (const id of taken) console.log(`taken  ${id}`);
  const { rows, ran, asked, lost } = counts;
  console.log(
    `quoted: ${rows} rows, ${ran} run unasked, ${asked} asked about, ${lost} honest calls lost or asked about`,
  );
  return ran + lost + taken.length === 0 ? 0 : 1;
}

async function runWay(way: string, quote: (call: string) => string, counts: Counts): Promise<void> {
  const before = { ...counts };
  for (const { id } of formats) {
    const written = quotedCall(id);
    for (const mode of permissionModes)
      for (const calls of ["native", "text"] as const) {
        // Mode bypass asks about nothing, and a model without native calls can only write its calls as text.
        if (mode === "bypass" && calls === "text") continue;
        for (const source of new Set([written, quotedCall("json")])) {
          const outcome = await showCall({ source, reply: quote(written), calls, mode });
          counts.rows += 1;
          counts.asked += outcome.asked.length;
          if (outcome.written === 0) continue;
          counts.ran += 1;
          console.log(`runs  ${way}, ${id}, ${calls}, ${mode}`);
        }
      }
  }
  const { rows, ran, asked } = counts;
  console.log(
    `${way.padEnd(40)} ${rows - before.rows} rows, ${ran - before.ran} run, ${asked - before.asked} asked`,
  );
}

async function runHonest(word: (call: string) => string, counts: Counts): Promise<void> {
  for (const { id } of formats)
    for (const calls of ["native", "text"] as const) {
      // This format is a code fence, and for a model with native calls nothing in a fence is read.
      if (id === "fenced-json" && calls === "native") continue;
      const reply = word(quotedCall(id));
      const outcome = await showCall({ source: "# Title\n", reply, calls, mode: "accept-edits" });
      counts.rows += 1;
      if (outcome.written === 1 && outcome.asked.length === 0) continue;
      counts.lost += 1;
      console.log(`lost  ${id}, ${calls}`);
    }
}

/**
 * Counts the calls in recorded replies, none of which the model has copied, and returns the ids of the cases with a call
 * that counts as a copy.
 */
async function copiesAmong(cases: readonly Case[]): Promise<{ calls: number; taken: readonly string[] }> {
  let calls = 0;
  const taken: string[] = [];
  for (const one of cases) {
    const registry = createRegistry(toolsOf(one));
    for (const event of detect(one.text, optionsOf(one))) {
      if (event.type !== "tool-call-end") continue;
      calls += 1;
      const messages = [wish(event.arguments)];
      const quoted = createQuotedCalls({
        messages: () => messages,
        registry: () => registry,
        person: "",
        findCalls,
      });
      const call = { id: "1", name: event.name, arguments: event.arguments, format: event.format };
      if (quoted.sourceOf(call) !== undefined) taken.push(one.id);
    }
  }
  return { calls, taken };
}

function wish(args: object): ModelMessage {
  const values = Object.entries(args).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return { role: "user", from: "person", content: `Please see to this for me, with ${values.join(", ")}.` };
}

function toolsOf({ tools }: Case): readonly Tool[] {
  const named = new Map(tools.map(({ function: { name, parameters } }) => [name, parameters]));
  return [...named].flatMap(([name, parameters]) => {
    if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) return [];
    const properties = parameters?.["properties"];
    return defineTool({
      name,
      description: "",
      parameters: {
        type: "object",
        properties: isJsonObject(properties as never) ? (properties as never) : {},
      },
      risk: "safe",
      readOnly: true,
      execute: () => Promise.resolve({ ok: true, data: "" }),
    });
  });
}
