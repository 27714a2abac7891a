/** `write_file`: creates a file or replaces its whole content. */

import { defineTool, type Tool, type ToolOutput } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { countText } from "@localharness/protocol";
import { runChange } from "@localharness/workspace/changes/hold-to-examined";
import { withLoss } from "@localharness/workspace/changes/with-loss";
import type { StoringParts } from "@localharness/workspace/edits/load-text";
import { type LoadedText, loadTextAt, storeFile } from "@localharness/workspace/edits/load-text";
import { examineEdit } from "@localharness/workspace/examine/examine-edit";
import type { PathExaminer } from "@localharness/workspace/examine/planned-touch";
import { encodeText } from "@localharness/workspace/files/decode-text";
import { lineEndOf, splitLines, withLineEnd } from "@localharness/workspace/files/lines";
import { findPlaceholder, placeholderMessage } from "@localharness/workspace/files/refuse-placeholder";
import { unifiedDiff } from "@localharness/workspace/files/unified-diff";
import { decodeWindows1252 } from "@localharness/workspace/files/windows-1252";
import { type Failure, found, type Outcome, refused } from "@localharness/workspace/outcome";
import { contentAliases, pathAliases } from "../parts/aliases.ts";
import { textArgument } from "../parts/arguments.ts";

export function writeFile(resources: StoringParts & PathExaminer): Tool {
  return defineTool({
    name: "write_file",
    description: "Create or overwrite a file.",
    parameters: {
      type: "object",
      properties: { path: { type: "string", format: "path" }, content: { type: "string" } },
      required: ["path", "content"],
    },
    aliases: ["write", "create_file", "save_file", "new_file", "write_to_file", "overwrite_file"],
    parameterAliases: { path: pathAliases, content: contentAliases },
    risk: "high",
    readOnly: false,
    editsFiles: true,
    async examine(args) {
      const { workspace } = resources;
      const path = textArgument(args, "path") ?? "";
      const place = workspace.locate(path);
      const replaces = place.ok && place.value.stats !== undefined;
      const effect = `${replaces ? "replaces the whole of" : "makes the file"} ${JSON.stringify(path)}`;
      const content = textArgument(args, "content") ?? "";
      const facts = { ...examineEdit(resources, [{ path, access: "write" }], content), effect };
      return replaces ? await withLoss(resources, facts, place.value.path) : facts;
    },
    preview: async (args) => {
      const plan = await planWrite(resources, args);
      return plan.ok ? unifiedDiff(plan.value.path, plan.value.old?.text ?? "", plan.value.text) : undefined;
    },
    foresee: async (args, _signal, mayShow) => {
      const plan = await planWrite(resources, args);
      if (!plan.ok) return mayShow ? plan : undefined;
      const { old } = plan.value;
      if (old === undefined) return undefined;
      const { ledger } = resources;
      // The output tells what the whole file is, so the model must have read all of it, or could read it unasked.
      const isRead = mayShow || (ledger.knows(old.path) && !ledger.knowsPart(old.path));
      if (!old.bytes.equals(plan.value.bytes)) return await checkReplaced(resources, old);
      return isRead ? unchanged(plan.value, old) : undefined;
    },
    execute: (args, context) => runChange(resources, context, (held) => write(held, args)),
  });
}

const unseenNote =
  "the file was there before and you had not read it in this session: its old content is gone. Read files before you replace them";

interface WritePlan {
  readonly path: string;
  readonly old: LoadedText | undefined;
  readonly text: string;
  readonly bytes: Buffer;
  readonly notes: readonly string[];
}

/** Returns a failure if the file to replace has changed since the model read it, or if the model was shown only a part. */
async function checkReplaced({ ledger }: StoringParts, old: LoadedText): Promise<Failure | undefined> {
  const stale = await ledger.checkFresh(old.path, old.bytes);
  return stale ?? ledger.checkShown(old.path, 1, Math.max(splitLines(old.text).length, 1));
}

function unchanged({ notes }: WritePlan, { path }: LoadedText): ToolOutput {
  return { ok: true, data: `${path} already has exactly this content; nothing was written.`, notes };
}

async function write(resources: StoringParts, args: JsonObject): Promise<ToolOutput> {
  const plan = await planWrite(resources, args);
  if (!plan.ok) return plan;
  const { path, old, text, bytes } = plan.value;
  const unseen = old !== undefined && old.bytes.length > 0 && !resources.ledger.knows(old.path);
  const notes = unseen ? [...plan.value.notes, unseenNote] : plan.value.notes;
  if (old?.bytes.equals(bytes) === true) {
    await resources.ledger.wrote(old.path, bytes);
    return unchanged(plan.value, old);
  }
  const refusal = old === undefined ? undefined : await checkReplaced(resources, old);
  if (refusal !== undefined) return refusal;
  const stored = await storeFile(resources, path, { bytes, old: old?.stats });
  if (!stored.ok) return stored;
  const lines = text.split("\n").length - (text.endsWith("\n") || text === "" ? 1 : 0);
  return {
    ok: true,
    data: `Successfully wrote to ${stored.value}: ${countText(bytes.length, "byte")}, ${countText(lines, "line")} (${old === undefined ? "new file" : "replaced"}).`,
    details: { path: stored.value, diff: unifiedDiff(stored.value, old?.text ?? "", text) },
    achieved: [{ kind: "wrote", subject: stored.value }],
    notes,
  };
}

async function planWrite(resources: StoringParts, args: JsonObject): Promise<Outcome<WritePlan>> {
  const path = textArgument(args, "path") ?? "";
  const content = textArgument(args, "content") ?? "";
  const loaded = await loadTextAt(resources, path);
  if (!loaded.ok && loaded.errorType !== "not_found") return loaded;
  const placeholder = findPlaceholder(content, loaded.ok ? loaded.value.text : "");
  if (placeholder !== undefined) {
    return refused(
      "validation_failed",
      placeholderMessage(placeholder, "Send the whole content, or use edit_file for a part."),
    );
  }
  if (!loaded.ok) {
    return found({ path, old: undefined, text: content, bytes: Buffer.from(content, "utf8"), notes: [] });
  }
  return found(planOverwrite(loaded.value, content));
}

/** Adapts the new content to the old file: its encoding, byte order mark, line ends and final line end. */
function planOverwrite(old: LoadedText, content: string): WritePlan {
  const notes: string[] = [];
  let text = content;
  if (lineEndOf(old.text) === "\r\n" && !content.includes("\r\n") && content.includes("\n")) {
    text = withLineEnd(content, "\r\n");
    notes.push("the file's line ends (CRLF) were kept");
  }
  if (old.text.endsWith("\n") && text !== "" && !text.endsWith("\n")) {
    text += lineEndOf(old.text);
    notes.push("a final line end was added, as the file had one");
  }
  const encoded = encodeText(text, old.encoding);
  if (encoded === undefined) {
    notes.push(`the file was in ${old.encoding}, which lacks some of the characters: it is in UTF-8 now`);
  } else if (old.encoding === "latin-1" && decodeWindows1252(encoded).encoding !== "latin-1") {
    notes.push("the file is in windows-1252 now, because latin-1 lacks some of the characters");
  } else if (old.encoding !== "utf-8") {
    notes.push(`the file's encoding (${old.encoding}) was kept`);
  }
  return { path: old.path, old, text, bytes: encoded ?? Buffer.from(text, "utf8"), notes };
}
