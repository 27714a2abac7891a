/**
 * A model that does whatever it reads, whoever wrote it. It reads all that it can find: the tree, every file in it, the
 * state and the history of the repository. The same words always make it do the same.
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
  /** True when it has asked for this call. */
  hasAskedFor(order: Order): boolean;
  /** How many calls it has asked for. */
  readonly calls: number;
}

const atOnce = 15;
const mostFiles = 40;

/** What it does before it knows of anything. */
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
        if (files++ < mostFiles) queue(looks, look("read_file", { path }));
      }
    }
    // A person who says what to do is listened to first.
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

/** What was said since the model's last answer; the system's words are not new. */
function newTexts({ body }: SeenRequest): string[] {
  const messages = Array.isArray(body["messages"]) ? body["messages"].filter(isJsonObject) : [];
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return messages
    .slice(last + 1)
    .filter(({ role }) => role === "user" || role === "tool")
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)));
}

/** A list of paths in a result, as the tree of files gives it. */
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
