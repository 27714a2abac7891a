/** The prompts that the scenarios expect. */
import {
  type GetPromptResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type PromptMessage,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { form } from "./form.ts";
import { pixel } from "./resources.ts";

interface ExpectedPrompt {
  readonly arguments: readonly { readonly name: string; readonly required: true }[];
  get(args: Readonly<Record<string, string>>, ctx: ServerContext): GetPromptResult | InputRequiredResult;
}

const fromUser = (...contents: readonly PromptMessage["content"][]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: "user", content })),
});
const text = (words: string) => ({ type: "text", text: words }) as const;
const required = (...names: readonly string[]) => names.map((name) => ({ name, required: true }) as const);

export const prompts: Readonly<Record<string, ExpectedPrompt>> = {
  test_simple_prompt: {
    arguments: [],
    get: () => fromUser(text("This is a simple prompt for testing.")),
  },
  test_prompt_with_arguments: {
    arguments: required("arg1", "arg2"),
    get: ({ arg1, arg2 }) => fromUser(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  test_prompt_with_embedded_resource: {
    arguments: required("resourceUri"),
    get: ({ resourceUri: uri = "" }) =>
      fromUser(
        {
          type: "resource",
          resource: { uri, mimeType: "text/plain", text: "Embedded content for testing." },
        },
        text("Please process the embedded resource above."),
      ),
  },
  test_prompt_with_image: {
    arguments: [],
    get: () =>
      fromUser(
        { type: "image", data: pixel, mimeType: "image/png" },
        text("Please analyze the image above."),
      ),
  },
  test_input_required_result_prompt: {
    arguments: [],
    get(_args, ctx) {
      const answer = inputResponse(ctx.mcpReq.inputResponses, "user_context");
      if (answer.kind === "elicit") return fromUser(text(`Use the context ${answer.content?.["context"]}`));
      const inputRequests = {
        user_context: form("What context should the prompt use?", { context: "string" }),
      };
      return inputRequired({ inputRequests });
    },
  },
};
