/**
 * The tools that send the client what our server does not send: log messages, progress in fixed steps, requests for samples,
 * roots and forms of several fields, and the error of a missing capability.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequest,
  inputRequired,
  inputResponse,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { form } from "./form.ts";

type Args = Readonly<Record<string, unknown>>;
type Requests = Readonly<Record<string, InputRequest>>;
type Answer = (args: Args, ctx: ServerContext) => never | Promise<never>;

const sample = (words: string, maxTokens = 100): InputRequest => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: { type: "text", text: words } }], maxTokens },
});
const roots: InputRequest = { method: "roots/list", params: {} };
const name = form("What is your name?", { name: "string" });
const titled = (...values: readonly string[]) =>
  values.map((value) => ({ const: value, title: `${value}!` }));

const defaults = {
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true },
};
const choices = ["option1", "option2", "option3"];
const enums = {
  untitledSingle: { type: "string", enum: choices },
  titledSingle: { type: "string", oneOf: titled("value1", "value2", "value3") },
  legacyEnum: { type: "string", enum: ["opt1", "opt2"], enumNames: ["Option One", "Option Two"] },
  untitledMulti: { type: "array", items: { type: "string", enum: choices } },
  titledMulti: { type: "array", items: { anyOf: titled("value1", "value2", "value3") } },
};

export const inputTools: Readonly<Record<string, Answer>> = {
  test_tool_with_logging: logs,
  test_logging_tool: logs,
  test_missing_capability: () => {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  },
  test_tool_with_progress: async (_args, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      const params = { progressToken: progressToken as string, progress, total: 100 };
      await ctx.mcpReq.notify({ method: "notifications/progress", params });
    }
    return done("in steps");
  },
  test_sampling: asks(({ prompt }) => ({ answer: sample(String(prompt)) })),
  test_elicitation: asks(({ message }) => ({
    answer: form(String(message), { username: "string", email: "string" }),
  })),
  test_elicitation_sep1034_defaults: asks(() => ({ answer: form("Who are you?", defaults) })),
  test_elicitation_sep1330_enums: asks(() => ({ answer: form("What do you choose?", enums) })),
  test_streaming_elicitation: asks(() => ({ user_name: name })),
  test_input_required_result_elicitation: asks(() => ({ user_name: name })),
  test_input_required_result_sampling: asks(() => ({
    capital_question: sample("What is the capital of France?"),
  })),
  test_input_required_result_list_roots: asks(() => ({ client_roots: roots })),
  test_input_required_result_multiple_inputs: asks(
    () => ({ user_name: name, greeting: sample("Generate a greeting", 50), client_roots: roots }),
    "all-inputs",
  ),
  test_input_required_result_capabilities: asks((_args, ctx) => {
    const envelope = ctx.mcpReq.envelope as Readonly<Record<string, object | undefined>> | undefined;
    const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
    return {
      ...("sampling" in declared ? { greeting: sample("Generate a greeting", 50) } : {}),
      ...("elicitation" in declared ? { user_name: name } : {}),
    };
  }),
};

async function logs(_args: Args, ctx: ServerContext): Promise<never> {
  for (const words of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
    await ctx.mcpReq.log("info", words);
  }
  return done("logged");
}

/** Returns a tool that asks until every request has an answer, and then returns the answers. */
function asks(requestsFor: (args: Args, ctx: ServerContext) => Requests, requestState?: string): Answer {
  return (args, ctx) => {
    const requests = requestsFor(args, ctx);
    const given = Object.keys(requests).map((key) => inputResponse(ctx.mcpReq.inputResponses, key));
    if (given.every(({ kind }) => kind !== "missing")) return done(JSON.stringify(given));
    const state = requestState === undefined ? {} : { requestState };
    return inputRequired({ inputRequests: { ...requests }, ...state }) as never;
  };
}

function done(text: string): never {
  return { content: [{ type: "text", text }] } as never;
}
