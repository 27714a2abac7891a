/** Tells the person how to allow the call of a permission request in the next run. */
import {
  countText,
  isDefaultRule,
  type PermissionMode,
  type PermissionRequest,
  type SessionEvent,
  visibleLine,
} from "@localharness/protocol";

/** Collects the requests of a run that nobody could answer. */
export interface UnansweredRequests {
  take(event: SessionEvent): void;
  /**
   * Returns a line with the options that allow the denied calls; undefined if no call was denied for lack of an answer.
   */
  line(): string | undefined;
}

const maxNamed = 3;
const answerAll = "--answer once, which allows every call of the run";

export function collectUnanswered(): UnansweredRequests {
  const open = new Map<string, PermissionRequest>();
  const options = new Set<string>();
  let mode: PermissionMode = "default";
  let denied = 0;
  return {
    take(event) {
      if ("mode" in event) mode = event.mode;
      if (event.type === "permission-request") open.set(event.request.requestId, event.request);
      if (event.type !== "permission-answer" || event.by !== "nobody") return;
      const request = open.get(event.requestId);
      // A plan that nobody can approve is the answer of the run.
      if (request === undefined || request.plan !== undefined) return;
      denied += 1;
      options.add(allowOption(request, mode));
    },
    line() {
      if (denied === 0) return undefined;
      // An answer to all requests makes the other options needless.
      const shown = options.has(answerAll) ? [answerAll] : [...options].slice(0, maxNamed);
      const more =
        options.size > maxNamed && !options.has(answerAll) ? `, and ${options.size - maxNamed} more` : "";
      const calls = `${countText(denied, "call")} ${denied === 1 ? "was" : "were"}`;
      return `${calls} denied, because nobody could be asked. To allow: ${shown.join(" ")}${more}`;
    },
  };
}

/**
 * Returns a command-line option that allows this call, usually `--allow` with a rule for its command or path. For a call
 * without a path, or with a path that needs escapes, the rule allows every call of the tool. For a command that no rule can
 * name, returns `--mode auto`. If the mode is already `auto`, or if a rule or a concern asked about the call (no rule that
 * allows overrides them), returns `--answer once`, which allows every call of the run.
 */
export function allowOption(
  { toolName, arguments: args, paths = [], rule }: PermissionRequest,
  mode: PermissionMode = "default",
): string {
  if (!isDefaultRule(rule)) return answerAll;
  const { command } = args;
  if (typeof command === "string") {
    return isPlain(command) ? option(toolName, "command", command) : beyondRules(mode);
  }
  const { path } = paths.find(({ access }) => access === "write") ?? paths[0] ?? {};
  return path !== undefined && isPlain(path)
    ? option(toolName, "path", path)
    : `--allow ${visibleLine(toolName)}`;
}

function beyondRules(mode: PermissionMode): string {
  return mode === "auto" ? answerAll : "--mode auto";
}

function option(tool: string, key: "path" | "command", value: string): string {
  const quoted = /\s/.test(value) ? `'${value}'` : value;
  return `--allow "${visibleLine(tool)} --${key} ${quoted}"`;
}

/** Returns true if a shell and a rule read the text without quotes, or need quotes only because of its blanks. */
function isPlain(text: string): boolean {
  return /^[\w./=:@,+-]+(?: [\w./=:@,+-]+)*$/.test(text);
}
