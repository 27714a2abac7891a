/** Provides the properties that the tools for editing part of a text file share. */
import type { JsonObject } from "@localharness/protocol";
import { withLoss } from "@localharness/workspace/changes/with-loss";
import { type LoadedText, loadTextAt, type StoringParts } from "@localharness/workspace/edits/load-text";
import { examineEdit } from "@localharness/workspace/examine/examine-edit";
import type { PathExaminer } from "@localharness/workspace/examine/planned-touch";
import { unifiedDiff } from "@localharness/workspace/files/unified-diff";
import type { Failure, Outcome } from "@localharness/workspace/outcome";
import { lineEndAliases, lineStartAliases, newContentAliases, pathAliases } from "../parts/aliases.ts";
import { textArgument } from "../parts/arguments.ts";

interface PlannedEdit {
  readonly file: LoadedText;
  /** The whole text after the edit. */
  readonly text: string;
}

interface EditSteps<Plan extends PlannedEdit> {
  /** The parameter with the new text. */
  readonly content: "new_content" | "new_string";
  plan(resources: StoringParts, args: JsonObject): Promise<Outcome<Plan>>;
  /** Returns the failure of a planned edit whose lines the model was not shown, or whose text the file cannot have. */
  refuse(resources: StoringParts, plan: Plan): Failure | undefined;
}

/** Returns the risk, the examination, the preview and the foreseen failure of an edit. */
export function textEdit<Plan extends PlannedEdit>(
  resources: StoringParts & PathExaminer,
  { content, plan, refuse }: EditSteps<Plan>,
) {
  return {
    risk: "high",
    readOnly: false,
    editsFiles: true,
    examine: async (args: JsonObject) => {
      const path = textArgument(args, "path") ?? "";
      // An edit is also a read, because its error messages show parts of the file.
      const touches = [{ path, access: "read" } as const, { path, access: "write" } as const];
      const facts = examineEdit(resources, touches, textArgument(args, content) ?? "");
      const place = resources.workspace.locate(path);
      return place.ok ? await withLoss(resources, facts, place.value.path) : facts;
    },
    preview: async (args: JsonObject) => {
      const planned = await plan(resources, args);
      if (!planned.ok) return undefined;
      return unifiedDiff(planned.value.file.path, planned.value.file.text, planned.value.text);
    },
    foresee: async (args: JsonObject, _signal: AbortSignal, mayShow: boolean) => {
      const loaded = await loadTextAt(resources, textArgument(args, "path") ?? "");
      if (!loaded.ok) return mayShow ? loaded : undefined;
      const { path, bytes } = loaded.value;
      const { ledger } = resources;
      const stale = await ledger.checkFresh(path, bytes);
      if (stale !== undefined) return stale;
      // The failure shows parts of the file, so the model must have read exactly this content, or could read it unasked.
      const isRead = ledger.knows(path) && !ledger.knowsPart(path);
      if (!isRead && !mayShow) return undefined;
      const planned = await plan(resources, args);
      return planned.ok ? refuse(resources, planned.value) : planned;
    },
  } as const;
}

/** The parameter schemas of a tool that edits by line numbers. */
export const lineEditProperties = {
  path: { type: "string", format: "path" },
  line_start: { type: "integer" },
  line_end: { type: "integer" },
  new_content: { type: "string" },
} as const;

export const lineEditAliases = {
  path: pathAliases,
  line_start: lineStartAliases,
  line_end: lineEndAliases,
  new_content: newContentAliases,
};
