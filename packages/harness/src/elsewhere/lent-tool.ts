/** Makes a tool of this program from a tool of a folder that another machine lends. That machine decides about its calls. */
import {
  type FailedOutput,
  failed,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@localharness/engine";
import type { LentTool, Link, LinkEnd } from "@localharness/mcp/elsewhere";
import {
  defined,
  type JsonObject,
  type PermissionAnswer,
  type PermissionRequest,
} from "@localharness/protocol";
import type { JobFollower } from "./follow-jobs.ts";

export interface LentFrom {
  readonly link: Link;
  /** The name of the machine. */
  readonly name: string;
  readonly jobs: Pick<JobFollower, "follow">;
  /** Returns the text, cut to the length that one result may have. */
  cut(text: string): string;
}

/** The time limit on this machine. It never ends a call, because the other machine sets the time limit. */
const longestMs = 2 ** 31 - 1;
/** The time that a stopped call has to report how far it came. */
const graceMs = 5_000;

export function lentTool({ name, description, parameters, readOnly }: LentTool, from: LentFrom): Tool {
  return {
    name,
    description,
    parameters,
    foreign: true,
    risk: "medium",
    readOnly,
    timeoutMs: longestMs,
    graceMs,
    async execute(args, context) {
      const end = await callThere(name, args, context, from);
      if (end.kind === "result" && end.result.success) from.jobs.follow(args, end.result.data ?? "");
      return outputOf(end, { name, args, readOnly }, from);
    },
  };
}

/** Calls the tool. A question of the other machine is put to the person here. */
export function callThere(
  name: string,
  args: JsonObject,
  { turn, signal, report, ask }: Pick<ToolContext, "turn" | "signal" | "report" | "ask">,
  { link, name: machine }: LentFrom,
): Promise<LinkEnd> {
  return link.call({
    name,
    arguments: args,
    session: turn?.sessionId ?? "none",
    turn: turn?.turnId ?? "none",
    signal,
    report,
    async ask(request) {
      const given = await ask?.(asQuestion(request, machine), signal);
      return given && answerThere(given.answer);
    },
  });
}

/** Returns the answer for the other machine, with `session` in place of `remember`: nothing is remembered there. */
function answerThere(answer: PermissionAnswer): PermissionAnswer {
  return answer === "remember" ? "session" : answer;
}

function asQuestion(request: PermissionRequest, machine: string) {
  const { toolName, arguments: args, argumentsHash, risk, rule, reason, covers, concerns } = request;
  const { answers, paths, sandbox, preview } = request;
  const held = covers === "" ? "" : `on ${machine}: ${covers}; a remembered answer ends with this session`;
  return {
    toolName,
    arguments: args,
    argumentsHash,
    risk,
    rule,
    reason: `${machine} asks: ${reason}`,
    covers: held,
    concerns,
    ...defined({ answers, paths, sandbox, preview }),
  };
}

interface MadeCall {
  readonly name: string;
  readonly args: JsonObject;
  readonly readOnly: boolean;
}

function outputOf(end: LinkEnd, call: MadeCall, { name: machine, cut }: LentFrom): ToolOutput {
  if (end.kind === "not-sent") {
    return failed("io_error", `not run: ${machine} is not reached (${end.reason})`);
  }
  if (end.kind === "unknown") {
    const advice = call.readOnly
      ? "It only reads: call it again."
      : "It may have been done in part or in full. Look before you do it again.";
    return failed(
      "io_error",
      `outcome unknown: the connection to ${machine} was lost (${end.reason}). ${advice}`,
    );
  }
  const { success, data, error_type, error_message, notes } = end.result;
  if (success) {
    const { path } = call.args;
    const wrote = call.readOnly
      ? []
      : [{ kind: "wrote" as const, ...(typeof path === "string" ? { subject: path } : {}) }];
    return { ok: true, data: cut(data ?? ""), achieved: wrote, ...defined({ notes }) };
  }
  const isDenied = error_type === "permission_denied";
  const told =
    isDenied && end.unasked ? unaskedText(machine) : { message: error_message ?? "no reason given" };
  const errorType = error_type === "none" ? "internal_error" : error_type;
  return {
    ok: false,
    errorType,
    ...told,
    ...(isDenied ? { denied: true } : {}),
    ...defined({ data: data === null ? undefined : cut(data), notes }),
  };
}

/** Returns the reason why a call was denied that the other machine asks about, in words for the model and for the person. */
function unaskedText(machine: string): Pick<FailedOutput, "message" | "why"> {
  const cause = `nobody could be asked: ${machine} asks for permission for this call`;
  const how = "with --answer here, or by a rule, --allow or --mode of localharness lend there";
  return {
    message: `${cause}. Go on without it, and tell the person to allow it ${how}`,
    why: `${cause}. Allow it ${how}`,
  };
}
