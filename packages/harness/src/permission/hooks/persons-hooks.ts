/** Runs hook programs in the order of the configuration. Each program gets the event as JSON on its standard input. */
import { basename } from "node:path";
import type { HookAnswer, HookEvent, HookedCall, HookRun, Hooks, TurnMark } from "@localharness/engine";
import type { HelperEnd, HelperRequest } from "@localharness/processes/helpers/run-helper";
import { defined } from "@localharness/protocol";
import { type HookVerdict, hookVerdict } from "./hook-answer.ts";
import { matchesTool } from "./hook-settings.ts";
import type { HookStart } from "./hook-start.ts";
import type { LoadedHook } from "./load-hooks.ts";

export interface HookPrograms {
  /** The real path of the workspace. */
  readonly workspace: string;
  /** Returns the current hooks, and messages for the person about invalid hooks. Never rejects. */
  load(): Promise<{ readonly hooks: readonly LoadedHook[]; readonly warnings: readonly string[] }>;
  /** Returns the program that a hook starts, or the reason why it cannot start. */
  start(hook: LoadedHook): HookStart;
  run(request: HelperRequest): Promise<HelperEnd>;
}

const defaultTimeoutSeconds = 60;

/** Creates the hooks of one session. A warning of `load` is reported once per session, the failure of a hook each time. */
export function createPersonsHooks(programs: HookPrograms): Hooks {
  const warned = new Set<string>();
  const consult = async (
    event: HookEvent,
    tool: string | undefined,
    about: object,
    signal: AbortSignal,
  ): Promise<HookAnswer> => {
    const { hooks, warnings } = await programs.load();
    const fresh = warnings.filter((warning) => !warned.has(warning));
    for (const warning of fresh) warned.add(warning);
    const asked = hooks.filter((hook) => hook.event === event && matchesTool(hook, tool ?? ""));
    const answer: HookFindings = { notes: [], warnings: [...fresh], ran: [] };
    if (asked.length === 0) return answer;
    const input = JSON.stringify({ hook_event_name: event, cwd: programs.workspace, ...about });
    for (const hook of asked) {
      await ask(programs, hook, input, signal, answer);
      // The first block ends the loop, except after a tool, where every hook gets the event.
      if (signal.aborted || (answer.block !== undefined && event !== "after-tool")) break;
    }
    return answer;
  };
  return {
    beforeTool: (call, signal) => consult("before-tool", call.tool, aboutCall(call), signal),
    afterTool: async (call, result, signal) => {
      const about = { ...aboutCall(call), tool_response: result };
      const { block, notes = [], ...rest } = await consult("after-tool", call.tool, about, signal);
      return { ...rest, notes: block === undefined ? notes : [...notes, `a check says: ${block}`] };
    },
    turnEnd: (turn, reason, signal) => consult("turn-end", undefined, { ...aboutTurn(turn), reason }, signal),
  };
}

interface HookFindings {
  block?: string;
  readonly notes: string[];
  readonly warnings: string[];
  readonly ran: HookRun[];
}

async function ask(
  programs: HookPrograms,
  hook: LoadedHook,
  input: string,
  signal: AbortSignal,
  answer: HookFindings,
): Promise<void> {
  const { verdict, ms } = await run(programs, hook, input, signal);
  const name = basename(hook.command[0] ?? "");
  const outcome = (kind: HookRun["outcome"]) => answer.ran.push({ hook: name, outcome: kind, ms });
  switch (verdict.kind) {
    case "cancelled":
      return;
    case "passed":
      outcome("passed");
      if (verdict.note !== undefined) answer.notes.push(verdict.note);
      return;
    case "blocked":
      outcome("blocked");
      answer.block = join(answer.block, verdict.reason);
      return;
    case "absent":
    case "failed":
      outcome("failed");
      answer.warnings.push(`the ${hook.event} hook ${name} failed: ${verdict.problem}`);
      if (hook.required === true) {
        answer.block = join(answer.block, `the check ${name}, which is required, failed: ${verdict.problem}`);
      } else if (verdict.kind === "absent" && hook.event === "before-tool") {
        answer.block = join(answer.block, `the check ${name} did not run: ${verdict.problem}`);
      }
  }
}

async function run(
  programs: HookPrograms,
  hook: LoadedHook,
  input: string,
  signal: AbortSignal,
): Promise<{ readonly verdict: HookVerdict; readonly ms: number }> {
  const start = programs.start(hook);
  if (start.kind === "problem") return { verdict: { kind: "absent", problem: start.problem }, ms: 0 };
  const timeoutMs = (hook.timeout ?? defaultTimeoutSeconds) * 1_000;
  const confined = hook.confined === true;
  const args = hook.command.slice(1);
  const ended = await programs.run({ program: start.path, args, input, timeoutMs, signal, confined });
  return { verdict: hookVerdict(ended, hook.event), ms: ended.durationMs };
}

function join(before: string | undefined, reason: string): string {
  return before === undefined ? reason : `${before}\n${reason}`;
}

function aboutTurn({ sessionId, turnId }: TurnMark): object {
  return { session_id: sessionId, turn_id: turnId };
}

function aboutCall({ turn, callId, tool, arguments: args, paths }: HookedCall): object {
  return {
    ...aboutTurn(turn),
    tool_use_id: callId,
    tool_name: tool,
    tool_input: args,
    ...defined({ paths }),
  };
}
