/** Makes the OpenAPI document from the table of routes and the schemas that check requests. */
import { z } from "zod";
import { hostMethods } from "./host-methods.ts";
import type { Route } from "./routes/route.ts";

/** Returns the document in the form of OpenAPI 3.1. */
export function openApiOf(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const one of routes.flatMap(withMethods)) {
    const path = one.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [one.verb]: operationOf(one) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Local Harness", version },
    paths,
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
    security: [{ token: [] }],
  };
}

/** Returns one route for each method of the host, in place of the route with the parameter `:method`. */
function withMethods(one: Route): readonly Route[] {
  if (!one.path.includes(":method")) return [one];
  return Object.entries(hostMethods).map(([name, { summary, args }]) => ({
    ...one,
    path: one.path.replace(":method", name),
    summary,
    body: z.object({ args }),
  }));
}

function operationOf({ path, summary, body, query, open }: Route): object {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  return {
    summary,
    parameters: [...inPath, ...queryParameters(query)],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: schemaOf(body) } } } }),
    ...(open === true ? { security: [] } : {}),
    responses: {
      "2XX": { description: "done" },
      "4XX": {
        description: "refused, with the reason",
        content: {
          "application/json": { schema: { type: "object", properties: { error: { type: "string" } } } },
        },
      },
    },
  };
}

function queryParameters(query: z.ZodType | undefined): readonly object[] {
  if (!(query instanceof z.ZodObject)) return [];
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema: schemaOf(schema as z.ZodType),
  }));
}

function schemaOf(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return rest;
}
