/**
 * The tools that the scenarios expect, as an offer of our server. Tools with a fixed result come from the registry that this
 * library has for other programs. Tools that keep a state between two rounds ask the person through the server's own
 * questions. The tools of `input-tools.ts` are only listed here.
 */
import {
  type ContentPart,
  createToolService,
  fromCallResult,
  type McpTool,
} from "@localharness/mcp/registry";
import type { Access, Offer } from "@localharness/mcp/server";
import { type JsonObject, type PermissionRequest, reasonOf } from "@localharness/protocol";
import { inputTools } from "./input-tools.ts";
import { pixel } from "./resources.ts";

const image = { type: "image", data: pixel, mimeType: "image/png" };
const text = (words: string) => ({ type: "text", text: words });
const resource = (uri: string, mimeType: string, words: string) => ({
  type: "resource",
  resource: { uri, mimeType, text: words },
});

/** The content that each of these tools returns. */
const contents: Readonly<Record<string, readonly ContentPart[]>> = {
  test_simple_text: [text("This is a simple text response for testing.")],
  test_image_content: [image],
  test_audio_content: [{ type: "audio", data: "UklGRiQAAABXQVZFZm10IBAAAAABAAEA", mimeType: "audio/wav" }],
  test_embedded_resource: [
    resource("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  ],
  test_multiple_content_types: [
    text("Multiple content types test:"),
    image,
    resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ],
};

/** The number of questions that each of these tools asks. */
const questions: Readonly<Record<string, number>> = {
  test_input_required_result_request_state: 1,
  test_input_required_result_tampered_state: 1,
  test_input_required_result_multi_round: 2,
};

const anyArguments: JsonObject = { type: "object" };
const named = (name: string, execute: McpTool["execute"]): McpTool => ({
  name,
  description: "Is expected by the conformance suite.",
  inputSchema: anyArguments,
  execute,
});

const service = createToolService([
  ...Object.entries(contents).map(([name, content]) => named(name, () => ({ content }))),
  named("test_error_handling", () => {
    throw new Error("This tool intentionally returns an error for testing");
  }),
]);

export const expectedTools: Offer = {
  root: "/",
  tools: () => [
    ...service
      .listTools()
      .map((tool) => ({ ...tool, inputSchema: tool.inputSchema as unknown as JsonObject, readOnly: false })),
    ...[...Object.keys(questions), ...Object.keys(inputTools)].map((name) => ({
      name,
      description: "Is expected by the conformance suite.",
      inputSchema: anyArguments,
      readOnly: false,
    })),
  ],
  async call(name, args, access) {
    const count = questions[name];
    const answer = () => service.executeTool(name, args, access.signal);
    const result = count === undefined ? await answer() : await askTimes(name, count, access);
    return fromCallResult(result, Date.now());
  },
  list: async () => [],
  read: async (path) => fromCallResult({ content: [text(`no file ${path}`)], isError: true }, Date.now()),
  mask: (words) => words,
};

async function askTimes(name: string, count: number, { ask, signal }: Access) {
  const answers: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const answer = await ask?.(questionOf(name, number), signal).catch(reasonOf);
    answers.push(answer ?? "nobody could be asked");
  }
  return { content: [text(`state-ok: ${answers.join(", ")}`)] };
}

function questionOf(toolName: string, number: number): PermissionRequest {
  return {
    requestId: `${toolName}-${number}`,
    callId: toolName,
    toolName,
    arguments: {},
    argumentsHash: "",
    risk: "low",
    rule: "conformance",
    reason: `question ${number}`,
    covers: "",
    concerns: [],
  };
}
