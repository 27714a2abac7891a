/**
 * Reads the files, and the resources of MCP servers (`@server:uri`), that the person named with `@` in a message. A call of
 * `read_file` or `read_resource` reads each of them, so that rules, hooks, audit log and the record of read files apply.
 * By naming a file the person allows the read, so its risk asks no question. If a rule or a concern asks about a file, the
 * file is not attached. The model may then call `read_file`, which asks the person.
 */
import { createRegistry, runToolCall, type Session } from "@localharness/engine";
import {
  type AttachedFile,
  type Attachments,
  defined,
  isImageMention,
  type Mention,
  type PermissionAnswer,
  type PermissionRequest,
  type ToolResult,
} from "@localharness/protocol";
import type { Composition } from "../../compose/compose.ts";
import type { Mcp } from "../../mcp/open-mcp.ts";
import type { Trust } from "../../permission/trust/settle-trust.ts";

/** The maximum total size of the files of one message, in UTF-16 units. */
const maxAttachedChars = 50_000;

export interface AttachingParts {
  readonly composition: Pick<
    Composition,
    | "allTools"
    | "audit"
    | "guidance"
    | "mask"
    | "policyStore"
    | "sandbox"
    | "trustedPolicyStore"
    | "workspace"
  > & { readonly mcp: Pick<Mcp, "resourceReader"> };
  readonly session: Pick<Session, "id" | "mode">;
  readonly trust: Trust;
}

/**
 * Returns the files and resources, and a remark for each that is not attached, unless its name is probably no path. Skips
 * images. Does not reject if a file cannot be read.
 */
export async function attachFiles(mentions: readonly Mention[], parts: AttachingParts): Promise<Attachments> {
  const files: AttachedFile[] = [];
  const remarks: string[] = [];
  let left = maxAttachedChars;
  for (const mention of mentions) {
    if (isImageMention(mention)) continue;
    const read = await readMention(mention, parts);
    const why = whyNot(read, left);
    if (why === undefined) {
      left -= read.data.length;
      files.push({
        path: resourceOf(mention) === undefined ? mention.path : mention.text,
        content: contentOf(mention, read.data),
      });
    } else if (looksLikePath(mention)) {
      remarks.push(`@${mention.text} goes to the model as a name only: ${why}`);
    }
  }
  return { files, remarks };
}

interface ReadFile {
  /** The content of the file; empty if it was not read. */
  readonly data: string;
  /** The reason why the file was not read, in words for the person. */
  readonly refusal?: string;
}

async function readMention(mention: Mention, parts: AttachingParts): Promise<ReadFile> {
  const { audit, guidance, mask, mcp, sandbox, workspace, ...composition } = parts.composition;
  const asked: PermissionRequest[] = [];
  let settle: (answer: PermissionAnswer) => void = () => undefined;
  const call = callFor(mention);
  const resource = resourceOf(mention);
  const tool =
    resource === undefined
      ? composition.allTools.find(call.name)?.tool
      : await mcp.resourceReader(resource.server, parts.trust);
  if (tool === undefined) return { data: "", refusal: "there is no tool that reads files" };
  if (typeof tool === "string") return { data: "", refusal: tool };
  const result = await runToolCall({
    registry: createRegistry([tool]),
    ...call,
    workspace,
    mode: parts.session.mode(),
    sessionId: parts.session.id,
    policyStore: parts.trust === "full" ? composition.trustedPolicyStore : composition.policyStore,
    trusted: parts.trust !== "reading",
    audit,
    mask,
    sandbox: sandbox.describe(),
    ...defined({ hooks: guidance.hooks(parts.trust) }),
    // The engine first waits for the answer and then emits the request, so the answer is given later, in `emit`.
    answer: () =>
      new Promise((resolve) => {
        settle = resolve;
      }),
    emit(event) {
      if (event.type !== "permission-request") return;
      const { request } = event;
      const onlyRiskAsks = request.rule === `risk:${request.risk}` && request.concerns.length === 0;
      if (!onlyRiskAsks) asked.push(request);
      settle(onlyRiskAsks ? "once" : "deny");
    },
  });
  return readOf(result, asked.at(-1));
}

/** Returns the server and the address that a mention names; undefined if it names a file. */
function resourceOf({ text }: Mention) {
  const [, server, uri] = /^([\w.-]+):([a-z][a-z0-9+.-]*:.+)$/i.exec(text) ?? [];
  return server === undefined || uri === undefined ? undefined : { server, uri };
}

function callFor(mention: Mention) {
  const resource = resourceOf(mention);
  if (resource !== undefined) return { name: "read_resource", arguments: resource };
  const { path, firstLine, lastLine } = mention;
  return {
    name: "read_file",
    arguments: { path, ...defined({ offset: firstLine, end_line: lastLine }) },
  };
}

function readOf({ success, data, error_message: message }: ToolResult, asked?: PermissionRequest): ReadFile {
  if (success) return { data: data ?? "" };
  if (asked !== undefined) {
    return { data: "", refusal: `${asked.reason}. If the model reads it, you are asked first` };
  }
  // Only the first sentence of the message is for a person; the others say what a model should do.
  const [refusal = "it cannot be read"] = (message ?? "").split(/\. (?=[A-Z])/);
  return { data: "", refusal };
}

function whyNot({ data, refusal }: ReadFile, left: number): string | undefined {
  if (refusal !== undefined || data.length <= left) return refusal;
  return `the files of one message take at most ${maxAttachedChars.toLocaleString("en")} characters; name fewer, or lines of it (@file:1-200)`;
}

/**
 * Returns the content for the model. Each line begins with its number, so that no line can be mistaken for text of the
 * harness.
 */
function contentOf(mention: Mention, data: string): string {
  const { path } = mention;
  const resource = resourceOf(mention);
  if (resource !== undefined) {
    const lines = data.split("\n").map((line, index) => `${index + 1}: ${line}`);
    const { server, uri } = resource;
    return `The resource ${JSON.stringify(uri)} of the MCP server ${JSON.stringify(server)}, which the person attached, as read_resource returns it:\n${lines.join("\n")}`;
  }
  return `The file ${JSON.stringify(path)}, which the person attached, as read_file returns it:\n${data}`;
}

/** Returns true if the name has a dot or a slash. A word such as `@everyone` probably means no file. */
function looksLikePath({ path }: Mention): boolean {
  return /[./]/.test(path);
}
