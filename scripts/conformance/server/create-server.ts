/**
 * Creates the server that the suite talks to: the server of this program, and handlers for the features of the
 * protocol that a workspace does not have (prompts, completion, log messages, subscriptions, resources that are not
 * files).
 */
import { callsOf, type Rounds, serveOffer } from "@localharness/mcp/server";
import { ResourceNotFoundError, type Server } from "@modelcontextprotocol/server";
import { inputTools } from "./input-tools.ts";
import { prompts } from "./prompts.ts";
import { contentOf, resources, templates } from "./resources.ts";
import { expectedTools } from "./tools.ts";

export function createExpectedServer(rounds: Rounds): Server {
  const server = serveOffer(expectedTools, rounds, "0.0.0");
  server.registerCapabilities({
    prompts: {},
    completions: {},
    logging: {},
    resources: { subscribe: true },
  });
  const call = callsOf(server, expectedTools, rounds);
  server.setRequestHandler("tools/call", (request, ctx) => {
    const answer = inputTools[request.params.name];
    return answer === undefined ? call(request, ctx) : answer(request.params.arguments ?? {}, ctx);
  });
  server.setRequestHandler("resources/list", () => ({ resources: [...resources] }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...templates] }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => {
    const content = contentOf(uri);
    if (content === undefined) throw new ResourceNotFoundError(uri);
    return { contents: [content] };
  });
  server.setRequestHandler("resources/subscribe", () => ({}));
  server.setRequestHandler("resources/unsubscribe", () => ({}));
  server.setRequestHandler("prompts/list", () => ({
    prompts: Object.entries(prompts).map(([name, prompt]) => ({
      name,
      description: "Is expected by the conformance suite.",
      arguments: [...prompt.arguments],
    })),
  }));
  server.setRequestHandler("prompts/get", ({ params }, ctx) => {
    const prompt = prompts[params.name];
    if (prompt === undefined) throw new Error(`there is no prompt named ${params.name}`);
    return prompt.get(params.arguments ?? {}, ctx);
  });
  server.setRequestHandler("completion/complete", () => ({
    completion: { values: ["paris", "park"], total: 2 },
  }));
  return server;
}
