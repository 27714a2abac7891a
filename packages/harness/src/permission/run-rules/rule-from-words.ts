/** Builds a policy rule from JSON, or from options of the command line. */
import type { PolicyRule } from "@localharness/engine";
import { defined, isJsonObject } from "@localharness/protocol";
import { readJsonSource } from "@localharness/store/json-source";
import { readRule } from "@localharness/store/policy-file/policy-rules";
import { type Options, textOption } from "../../config/options.ts";
import { placePattern } from "./place-pattern.ts";

const decisions = ["allow", "ask", "deny"] as const;
const accesses = ["read", "write"] as const;

/**
 * Returns the rule that a JSON text describes, with a new id if it has none. Returns an error message for an invalid
 * rule.
 */
export function ruleFromJson(text: string, workspace: string | undefined): PolicyRule | string {
  const source = readJsonSource(text);
  if (!source.ok) return `the rule is not valid JSON: ${source.message} (column ${source.column})`;
  if (!isJsonObject(source.value)) return "a rule must be an object";
  return readRule(
    {
      id: freshId(),
      ...source.value,
      ...defined({ workspace }),
      created: Date.now(),
    },
    "user",
  );
}

/** Returns the rule that the options of `policy add` describe, or an error message. */
export function ruleFromFlags(
  decision: string,
  flags: Options,
  workspace: string | undefined,
): PolicyRule | string {
  const known = decisions.find((one) => one === decision);
  if (known === undefined) return `expected allow, ask, deny or a rule as JSON, got "${decision}"`;
  const tool = textOption(flags, "tool");
  const typed = textOption(flags, "path");
  const path = typed === undefined ? undefined : placePattern(typed);
  const command = textOption(flags, "command");
  const access = accesses.find((one) => one === textOption(flags, "access"));
  if (access !== undefined && path === undefined) return "--access needs --path";
  if (tool === undefined && path === undefined && command === undefined) {
    return "a rule needs at least one of --tool, --path and --command";
  }
  const names = tool?.split(",").map((name) => name.trim());
  const subject = Object.entries(defined({ tool, path, access, command })).map(
    ([key, value]) => `${key} ${value}`,
  );
  return {
    id: freshId(),
    decision: known,
    justification: textOption(flags, "because") ?? `your rule for ${subject.join(", ")}`,
    origin: "user",
    created: Date.now(),
    ...(names === undefined ? {} : { tool: names.length === 1 ? (names[0] ?? "") : names }),
    ...defined({ path, access }),
    ...(command === undefined ? {} : { command: command.trim().split(/\s+/) }),
    ...defined({ workspace }),
  };
}

function freshId(): string {
  return `rule:${crypto.randomUUID().slice(0, 8)}`;
}
