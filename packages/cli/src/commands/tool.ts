/** `localharness tool`: lists the tools, or runs one call through validation, policy, permission and executor. */

import { type PersonsAnswer, runToolCall, usageError } from "@localharness/engine";
import { loadSettings } from "@localharness/harness/config/settings";
import { exitCodes } from "@localharness/harness/exit-code";
import { folded } from "@localharness/harness/fold-lines";
import { openWorkbench, type Workbench } from "@localharness/harness/workbench";
import type { EventBody, PermissionAnswer, PermissionRequest, ToolResult } from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import { type Invocation, textFlag } from "../arguments/parse.ts";
import { leave, watchInterrupts } from "../modes/interrupts.ts";
import { personFor, statedAnswer } from "../modes/person.ts";
import { createTextOutput } from "../terminal/output.ts";
import { plainJson, plainText, visibleLine, visibleLines } from "../terminal/plain-text.ts";

export async function runTool(invocation: Invocation): Promise<number> {
  const [action, ...rest] = invocation.positionals;
  const settings = await loadSettings(invocation.flags);
  const bench = await openWorkbench(settings, textFlag(invocation.flags, "workspace"), "all");
  try {
    if (action === "list" && rest.length === 0) return list(bench, invocation.flags.json === true);
    if (action === "call" && (rest.length === 1 || rest.length === 2)) {
      return await call(bench, invocation, rest);
    }
  } finally {
    await bench.close();
  }
  throw usageError("usage: localharness tool list | localharness tool call NAME 'JSON'");
}

function list(bench: Workbench, json: boolean): number {
  const tools = bench.registry.list();
  if (json) {
    process.stdout.write(`${plainJson(bench.registry.definitions())}\n`);
    return exitCodes.done;
  }
  for (const tool of tools) {
    const risk = typeof tool.risk === "function" ? "by call" : tool.risk;
    const [first = ""] = tool.description.split("\n");
    process.stdout.write(folded(`${visibleLine(`${tool.name.padEnd(22)} ${risk.padEnd(8)} ${first}`)}\n`));
  }
  return exitCodes.done;
}

async function call(bench: Workbench, invocation: Invocation, rest: readonly string[]): Promise<number> {
  const [name = "", text = "{}"] = rest;
  const aborter = new AbortController();
  const interrupts = watchInterrupts((count) => {
    aborter.abort();
    if (count > 1) leave(bench.endChildren);
  });
  const { answer, emit } = answerer(statedAnswer(invocation.flags));
  try {
    const { registry, workspace, audit, mask, sandbox } = bench;
    const { trusted } = await bench.trustStore.find(workspace);
    const hooks = bench.guidance.hooks(trusted === true ? "full" : "tools");
    const result = await runToolCall({
      registry,
      ...defined({ hooks }),
      name,
      arguments: text,
      workspace,
      trusted: trusted !== false,
      policyStore: trusted === true ? bench.trustedPolicyStore : bench.policyStore,
      mode: bench.mode(),
      freedoms: bench.freedoms(trusted === true ? "full" : "reading"),
      audit,
      mask,
      sandbox: sandbox.describe(),
      signal: aborter.signal,
      emit,
      ...defined({ answer }),
    });
    show(result, invocation.flags.json === true);
    return codeOf(result);
  } finally {
    interrupts.stop();
  }
}

/**
 * Returns `emit`, which takes the events of the call and prints its notices, and `answer`, which waits for the permission
 * request with this id and returns `stated`, or else asks the person. `answer` is undefined if there is neither `stated` nor
 * a terminal.
 */
function answerer(stated: PermissionAnswer | undefined) {
  const output = createTextOutput(process.stderr);
  const ask = personFor(stated, output);
  const requests = new Map<string, (request: PermissionRequest) => void>();
  const emit = (event: EventBody) => {
    if (event.type === "notice") output.raw(`! ${visibleLines(event.message)}\n`);
    if (event.type === "permission-request") requests.get(event.request.requestId)?.(event.request);
  };
  if (ask === undefined) return { answer: undefined, emit };
  const answer = async (requestId: string, signal: AbortSignal): Promise<PersonsAnswer> => {
    const request = await new Promise<PermissionRequest>((resolve) => requests.set(requestId, resolve));
    return ask(request, signal);
  };
  return { answer, emit };
}

function show(result: ToolResult, json: boolean): void {
  if (json) {
    process.stdout.write(`${plainJson(result)}\n`);
    return;
  }
  if (result.data !== null) process.stdout.write(`${plainText(result.data).replace(/\n$/, "")}\n`);
  if (!result.success) {
    process.stderr.write(`${result.error_type}: ${plainText(result.error_message ?? "no reason given")}\n`);
  }
  for (const note of result.notes ?? []) process.stderr.write(`note: ${visibleLines(note)}\n`);
}

function codeOf(result: ToolResult): number {
  if (result.success) return exitCodes.done;
  if (result.error_type === "permission_denied") return exitCodes.denied;
  return result.error_type === "cancelled" ? exitCodes.interrupted : exitCodes.error;
}
