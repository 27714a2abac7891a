/** `localharness`, `localharness "message"`, `localharness -p`: a chat, or one message answered. */
import { basename } from "node:path";
import { type Invocation, textFlag } from "../arguments/parse.ts";
import { usageError } from "../complaints.ts";
import { type Composition, compose, modelFiles } from "../compose.ts";
import { loadSettings, type Settings } from "../config/settings.ts";
import { exitCodes } from "../modes/exit-code.ts";
import { readMessage } from "../modes/message-input.ts";
import { personFor, statedAnswer } from "../modes/person.ts";
import { createTextOutput } from "../terminal/output.ts";
import { plainText } from "../terminal/plain-text.ts";
import { settleTrust } from "../trust/settle-trust.ts";

export async function runChat(invocation: Invocation): Promise<number> {
  const { flags, positionals } = invocation;
  const output = textFlag(flags, "output");
  const oneMessage = flags.print === true || output !== undefined;
  if (oneMessage && flags.interactive === true) {
    throw usageError("--interactive does not go with --print or --output: a chat has no one answer.");
  }
  const settings = await loadSettings(flags);
  if (!oneMessage && (flags.interactive === true || process.stdin.isTTY === true)) {
    return chat(await compose(settings, textFlag(flags, "workspace"), modelFiles(flags)), invocation);
  }
  const message = await readMessage(positionals, () =>
    tell("nothing came on stdin for 3 s: going on without it"),
  );
  if (message.trim() === "") {
    throw usageError(
      'there is no message: localharness -p "message", or pipe it in. Without -p a terminal is needed.',
    );
  }
  const composition = await compose(settings, textFlag(flags, "workspace"), modelFiles(flags));
  try {
    return await answerOne(composition, settings, invocation, message);
  } finally {
    await composition.close();
  }
}

async function answerOne(
  composition: Composition,
  settings: Settings,
  invocation: Invocation,
  message: string,
): Promise<number> {
  const json = textFlag(invocation.flags, "output") === "json";
  if (settings.values.model === undefined && invocation.flags.replay === undefined)
    tell(composition.selected.reason);
  tell(composition.sandbox.describe());
  const { workspace, trustStore: store } = composition;
  const trust = await settleTrust({ workspace, store, flags: invocation.flags, tell });
  if (trust === "leave") return exitCodes.done;
  const stated = statedAnswer(invocation.flags);
  // A program reads JSON, so there is nobody to ask beside a stated answer.
  const ask = json && stated === undefined ? undefined : personFor(stated, createTextOutput(process.stderr));
  const session = composition.newSession(ask !== undefined, trust);
  const shot = { session, message, ask, endChildren: composition.endChildren };
  if (json) return (await import("../modes/json.ts")).runJson(shot);
  return (await import("../modes/print.ts")).runPrint(shot);
}

async function chat(composition: Composition, invocation: Invocation): Promise<number> {
  const { runInteractive } = await import("../modes/interactive.ts");
  const { selected, registry, workspace, mode, sandbox, trustStore: store } = composition;
  try {
    return await runInteractive({
      settleTrust: (ask, tellPerson) =>
        settleTrust({ workspace, store, flags: invocation.flags, ask, tell: tellPerson }),
      workspace,
      newSession: (trust) => composition.newSession(true, trust),
      greeting: [
        plainText(selected.reason),
        plainText(`Commands run in: ${sandbox.describe()}.`),
        plainText(`Workspace ${workspace}, mode ${mode}. /help lists commands, Ctrl-C interrupts.`),
      ],
      firstMessage: invocation.positionals.join(" "),
      answer: statedAnswer(invocation.flags),
      toolNames: registry.list().map((tool) => tool.name),
      listTree: () => listTree(composition),
      endChildren: composition.endChildren,
    });
  } finally {
    await composition.close();
  }
}

async function listTree({ allTools, workspace }: Composition): Promise<string> {
  const context = { callId: "context", signal: AbortSignal.timeout(20_000), report: () => undefined };
  const listed = await allTools.execute("get_file_tree", {}, context);
  return listed.ok ? treeText(listed.data, basename(workspace)) : listed.message;
}

function treeText(data: string, root: string): string {
  try {
    const paths: unknown = JSON.parse(data);
    return Array.isArray(paths) ? [`${root}/`, ...paths.map((path) => `  ${path}`)].join("\n") : data;
  } catch {
    return data;
  }
}

function tell(text: string): void {
  process.stderr.write(`· ${plainText(text)}\n`);
}
