/** Offers the prompts of servers as slash commands such as `/server__prompt words`. */
import { usageError } from "@localharness/engine";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { anyResult } from "../connection/any-result.ts";
import { cleaned } from "../tools/listed-tool.ts";
import { resultOutput } from "../tools/result-output.ts";
import type { Server } from "./server.ts";

export interface ServerPrompt {
  /** The name of the command, without `/`. */
  readonly name: string;
  readonly about: string;
  /** The names of its arguments, such as `CITY [UNIT]`; empty if it has none. */
  readonly argumentHint: string;
  /** Returns the message that the prompt gives for these words. Rejects with a `HarnessError` if it gives none. */
  expand(typed: string): Promise<string>;
}

const timeoutMs = 30_000;

/** Returns the prompts of a running server; empty if they cannot be listed. Their names begin with `part`. */
export async function promptsOf(server: Server, part: string): Promise<readonly ServerPrompt[]> {
  if (!server.has("prompts")) return [];
  const listed = await server.list("prompts").catch(() => []);
  return listed.flatMap((prompt) => {
    const { name } = prompt;
    if (typeof name !== "string" || name === "") return [];
    const own = argumentsOf(prompt);
    return {
      name: `${part}__${name.replace(/[^\w-]+/g, "_")}`,
      about: cleaned(prompt["description"] ?? prompt["title"]).split("\n")[0] ?? "",
      argumentHint: own.map(({ name: one, required }) => (required ? one : `[${one}]`)).join(" "),
      expand: (typed) => expand(server, name, own, typed),
    };
  });
}

interface PromptArgument {
  readonly name: string;
  readonly required: boolean;
}

function argumentsOf({ arguments: declared }: JsonObject): readonly PromptArgument[] {
  const all = Array.isArray(declared) ? declared.filter(isJsonObject) : [];
  return all.flatMap(({ name, required }) =>
    typeof name === "string" ? { name, required: required === true } : [],
  );
}

async function expand(
  server: Server,
  name: string,
  declared: readonly PromptArgument[],
  typed: string,
): Promise<string> {
  const args = argumentValues(declared, typed);
  const missing = declared.find((one) => one.required && args[one.name] === undefined);
  if (missing !== undefined) throw usageError(`the prompt ${name} needs the argument ${missing.name}`);
  let text = "";
  const output = await server.run(`the prompt ${name}`, async ({ client }) => {
    const params = { name, arguments: args };
    const result = await client.request({ method: "prompts/get", params }, anyResult, { timeout: timeoutMs });
    const messages = Array.isArray(result["messages"]) ? result["messages"] : [];
    text = messages
      .map((message) => messageText(message, server.entry.name))
      .join("\n\n")
      .trim();
    return { ok: true, data: text };
  });
  if (!output.ok) throw usageError(output.message);
  if (text === "") throw usageError(`the prompt ${name} of the MCP server ${server.entry.name} is empty`);
  return text;
}

/**
 * Returns the typed words by argument name, in the order of the arguments. The last argument gets all words that are
 * left.
 */
function argumentValues(declared: readonly PromptArgument[], typed: string): Record<string, string> {
  const words = typed.trim() === "" ? [] : typed.trim().split(/\s+/);
  const last = declared.length - 1;
  const pairs = declared.flatMap(({ name }, at) => {
    const value = at === last ? words.slice(at).join(" ") : (words[at] ?? "");
    return value === "" ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}

function messageText(message: JsonValue, server: string): string {
  const content = isJsonObject(message) ? message["content"] : undefined;
  if (content === undefined) return "";
  const output = resultOutput(
    { content: Array.isArray(content) ? content : [content] },
    server,
    (text) => text,
  );
  return output.ok ? output.data : output.message;
}
