/**
 * Describes the program and the session for a bug report. The text contains no words of the person or the model, no
 * paths and no keys.
 */
import { release } from "node:os";
import type { Session } from "@localharness/engine";
import { countText } from "@localharness/protocol";
import type { Composition } from "../compose/compose.ts";
import { version } from "../compose/version.ts";

export function describeProgram({ selected, sandbox, registry }: Composition, session: Session): string {
  const { messages, notices, lastEnd, usage } = session.view();
  const said = messages.filter(({ role }) => role !== "display");
  const end = lastEnd === undefined ? "none" : [lastEnd.reason, lastEnd.code ?? ""].join(" ").trim();
  const lines = [
    `localharness ${version}`,
    `Node ${process.version}, ${process.platform} ${process.arch} ${release()}`,
    `terminal ${process.env["TERM"] ?? "unknown"}, ${process.env["TERM_PROGRAM"] ?? "program unknown"}, ${process.stdout.columns ?? 0}x${process.stdout.rows ?? 0}`,
    `model ${lastName(selected.model.name)} of ${selected.provider}, window ${usage.contextWindow ?? selected.contextWindow ?? "unknown"}`,
    `sandbox ${sandbox.state.kind}`,
    `mode ${session.mode()}, ${countText(registry.list().length, "tool")}: ${registry
      .list()
      .map((tool) => tool.name)
      .join(", ")}`,
    `${countText(said.length, "message")}, ${usage.inputTokens} tokens in, ${usage.outputTokens} out`,
    `last turn: ${end}`,
    `notices: ${[...new Set(notices.map((notice) => notice.code))].join(", ") || "none"}`,
  ];
  return lines.join("\n");
}

/** Returns the last part of a model's name, because some servers name a model by the path of its file. */
function lastName(model: string): string {
  return model.split(/[\\/]/).at(-1) ?? "";
}
