/** What happened, for a report of a mistake: nothing that the person or the model has written, no paths, no keys. */
import { release } from "node:os";
import type { View } from "@localharness/protocol";
import type { Composition } from "../compose.ts";
import { version } from "../version.ts";

export function describeProgram({ selected, sandbox, registry }: Composition, view: View): string {
  const { messages, notices, lastEnd, usage } = view;
  const end = lastEnd === undefined ? "none" : [lastEnd.reason, lastEnd.code ?? ""].join(" ").trim();
  const lines = [
    `localharness ${version}`,
    `Node ${process.version}, ${process.platform} ${process.arch} ${release()}`,
    `terminal ${process.env["TERM"] ?? "unknown"}, ${process.env["TERM_PROGRAM"] ?? "program unknown"}, ${process.stdout.columns ?? 0}x${process.stdout.rows ?? 0}`,
    `model ${selected.model.name} of ${selected.provider}, window ${usage.contextWindow ?? selected.contextWindow ?? "unknown"}`,
    `sandbox ${sandbox.state.kind}`,
    `mode ${view.mode}, ${registry.list().length} tools: ${registry
      .list()
      .map((tool) => tool.name)
      .join(", ")}`,
    `${messages.length} messages, ${usage.inputTokens} tokens in, ${usage.outputTokens} out`,
    `last turn: ${end}`,
    `notices: ${[...new Set(notices.map((notice) => notice.code))].join(", ") || "none"}`,
  ];
  return lines.join("\n");
}
