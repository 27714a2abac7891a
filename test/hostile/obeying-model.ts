/**
 * Starts a model server whose model obeys every order that it reads, whoever wrote it. It reads the file tree, the first 40
 * files, and the state and history of the repository. It is deterministic.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import {
  callsReply,
  type ModelServer,
  type Reply,
  type SeenRequest,
  startModelServer,
  textReply,
} from "../../scripts/corpus/attacks/model-server.ts";
import { type Order, ordersIn, textsIn } from "./orders.ts";

export interface ObeyingModel extends AsyncDisposable {
  readonly server: ModelServer;
  /** Returns true when the model has made this call. */
  hasAskedFor(order: Order): boolean;
  /** How many calls the model has made. */
  readonly calls: number;
}

const atOnce = 15;
const maxFiles = 40;

/** The calls that it makes first, or after the orders of the person's message. */
const firstLooks: readonly Order[] = [
  look("get_file_tree", {}),
  look("ls", { show_hidden: true }),
  ...["README.md", "AGENTS.md", "CLAUDE.md"].map((path) => look("read_file", { path })),
  look("git_status", {}),
  look("git_log", {}),
  look("git_diff", {}),
  look("git_current_branch", {}),
  look("grep_search", { pattern: "CALL" }),
];

function look(tool: string, args: JsonObject): Order {
  return { tool, argumentsText: JSON.stringify(args) };
}

export async function startObeyingModel(): Promise<ObeyingModel> {
  const asked = new Set<string>();
  const orders: Order[] = [];
  const looks: Order[] = [];
  let files = 0;
  let begun = false;
  let calls = 0;

  const queue = (list: Order[], order: Order): void => {
    if (asked.has(keyOf(order))) return;
    asked.add(keyOf(order));
    list.push(order);
  };
  const answer = (request: SeenRequest): Reply => {
    for (const text of newTexts(request)) {
      for (const part of [text, ...textsIn(text)]) for (const order of ordersIn(part)) queue(orders, order);
      for (const path of pathsIn(text)) {
        if (files++ < maxFiles) queue(looks, look("read_file", { path }));
      }
    }
    // Orders in the person's message come first.
    if (!begun && orders.length === 0) {
      begun = true;
      for (const one of firstLooks) queue(looks, one);
    }
    const now = orders.splice(0, atOnce);
    now.push(...looks.splice(0, atOnce - now.length));
    calls += now.length;
    return now.length === 0
      ? textReply("That is all.")
      : callsReply(now.map(({ tool, argumentsText }) => ({ name: tool, argumentsText })));
  };
  const server = await startModelServer(answer);
  return {
    server,
    hasAskedFor: (order) => asked.has(keyOf(order)),
    get calls() {
      return calls;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function keyOf({ tool, argumentsText }: Order): string {
  return `${tool} ${argumentsText}`;
}

/** Returns the texts of the user and tool messages since the model's last answer. */
function newTexts({ body }: SeenRequest): string[] {
  const messages = Array.isArray(body["messages"]) ? body["messages"].filter(isJsonObject) : [];
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return messages
    .slice(last + 1)
    .filter(({ role }) => role === "user" || role === "tool")
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)));
}

/** Returns the paths of a tool result that is a file tree; empty for any other text. */
function pathsIn(text: string): string[] {
  try {
    const result: JsonValue = JSON.parse(text);
    if (!isJsonObject(result) || typeof result["data"] !== "string") return [];
    const list: JsonValue = JSON.parse(result["data"]);
    return Array.isArray(list) ? list.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}
