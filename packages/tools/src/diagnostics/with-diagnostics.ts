/** Adds new errors of the edited file to the results of the tools that edit files. */

import type { Tool } from "@localharness/engine";
import { isJsonObject } from "@localharness/protocol";
import { textArgument } from "../parts/arguments.ts";
import type { Diagnostics } from "./edit-check.ts";

/** Returns the tool itself if it edits no files. */
export function withDiagnostics(tool: Tool, { diagnostics }: { readonly diagnostics?: Diagnostics }): Tool {
  if (tool.editsFiles !== true || diagnostics === undefined) return tool;
  return {
    ...tool,
    async execute(args, context) {
      const check = diagnostics.begin(textArgument(args, "path") ?? "", context);
      const output = await tool.execute(args, context);
      const hasChanged = output.ok && isJsonObject(output.details) && output.details["diff"] !== undefined;
      if (check === undefined || !output.ok || !hasChanged) return output;
      const found = await check.finish();
      return found === undefined ? output : { ...output, data: `${output.data}\n\n${found}` };
    },
  };
}
