/** Parses the command line, loads and runs the command, and prints errors. */
import { exitCodes } from "@localharness/harness/exit-code";
import { folded } from "@localharness/harness/fold-lines";
import { reasonOf } from "@localharness/protocol";
import { type Invocation, parseArguments } from "./arguments/parse.ts";
import { plainText } from "./terminal/plain-text.ts";

/** Runs the command line and returns the exit code. Never throws. */
export async function run(argv: readonly string[]): Promise<number> {
  if (argv[0] === "help") return help(argv[1]);
  const parsed = parseArguments(argv);
  if (!parsed.ok) return complain(parsed.message, exitCodes.usage);
  const { invocation } = parsed;
  if (invocation.flags.help === true) return help(invocation.command);
  if (invocation.flags.version === true) {
    const { version } = await import("@localharness/harness/version");
    process.stdout.write(`${version}\n`);
    return exitCodes.done;
  }
  for (const warning of parsed.warnings) tell(warning);
  try {
    return await runCommand(invocation);
  } catch (error) {
    return complain(messageOf(error), codeOf(error));
  }
}

async function help(topic: string | undefined): Promise<number> {
  const { helpText } = await import("./help.ts");
  const text = helpText(topic);
  if (text !== undefined) {
    process.stdout.write(text);
    return exitCodes.done;
  }
  const message = `there is no command ${topic}: localharness --help lists them. To send it as a message: localharness -- help ${topic} ...`;
  return complain(message, exitCodes.usage);
}

async function runCommand(invocation: Invocation): Promise<number> {
  switch (invocation.command) {
    case "chat":
      return (await import("./commands/chat.ts")).runChat(invocation);
    case "tool":
      return (await import("./commands/tool.ts")).runTool(invocation);
    case "policy":
      return (await import("@localharness/harness/commands/policy")).runPolicy(invocation);
    case "trust":
      return (await import("./commands/trust.ts")).runTrust(invocation);
    case "audit":
      return (await import("./commands/audit.ts")).runAudit(invocation);
    case "hooks":
      return (await import("@localharness/harness/commands/hooks")).runHooks(invocation);
    case "mcp":
      if (invocation.positionals[0] === "serve") {
        return (await import("@localharness/harness/serve/serve-command")).runServeMcp(invocation);
      }
      return (await import("@localharness/harness/mcp/mcp-command")).runMcpCommand(invocation);
    case "lend":
      return (await import("@localharness/harness/lend/lend-command")).runLend(invocation);
    case "undo":
    case "redo":
      return (await import("./commands/undo.ts")).runUndo(invocation);
    case "sandbox":
      return (await import("./commands/sandbox.ts")).runSandbox(invocation);
    case "agents":
      return (await import("./commands/agents.ts")).runAgents(invocation);
    case "skills":
      return (await import("./commands/skills.ts")).runSkills(invocation);
    case "index":
      return (await import("@localharness/harness/graph/index-command")).runIndex(invocation, plainText);
    case "detect":
      return (await import("./commands/detect.ts")).runDetect(invocation);
    case "models":
      return (await import("./commands/models.ts")).runModels(invocation);
    case "doctor":
      return (await import("@localharness/harness/doctor/run-doctor")).runDoctor(invocation);
    case "sessions":
      return (await import("@localharness/harness/commands/sessions")).runSessions(invocation);
    case "config":
      return (await import("@localharness/harness/commands/config")).runConfig(invocation);
    case "serve":
      return (await import("./commands/serve.ts")).runServe(invocation);
    case "attach":
      return (await import("./commands/attach.ts")).runAttach(invocation);
    case "loop":
      return (await import("./commands/loop.ts")).runLoop(invocation);
    case "demo":
      return (await import("./commands/demo.ts")).runDemo(invocation);
    case "completions":
      return (await import("./commands/completions.ts")).runCompletions(invocation);
  }
}

function complain(message: string, code: number): number {
  tell(message);
  return code;
}

function tell(message: string): void {
  process.stderr.write(folded(`localharness: ${plainText(message)}\n`, process.stderr));
}

function codeOf(error: unknown): number {
  const usage: readonly string[] = ["usage", "config-invalid", "tool-unknown", "schema-invalid"];
  return isHarnessError(error) && usage.includes(error.code) ? exitCodes.usage : exitCodes.error;
}

/**
 * Returns the message of an error. An error that is neither a HarnessError nor a system error is a defect, so its stack
 * trace is returned.
 */
function messageOf(error: unknown): string {
  if (isHarnessError(error) || !(error instanceof Error) || "code" in error) return reasonOf(error);
  return error.stack ?? error.message;
}

function isHarnessError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && error.name === "HarnessError" && "code" in error;
}
