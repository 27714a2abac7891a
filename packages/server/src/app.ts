/** Turns the table of routes into an HTTP application. */

import type { HttpBindings } from "@hono/node-server";
import { reasonOf } from "@localharness/protocol";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";
import { openApiOf } from "./openapi.ts";
import type { Pages } from "./pages.ts";
import { isOwnUser } from "./peer-user.ts";
import { hubRoutes } from "./routes/hub-routes.ts";
import { type Reply, type Route, route, type Service, sessionId } from "./routes/route.ts";
import { sessionRoutes } from "./routes/session-routes.ts";
import { clientName } from "./sender.ts";

/** The maximum size of a request's body in bytes: a message with images, as base64. */
const maxBodyBytes = 32 * 1024 * 1024;

export interface AppParts extends Service {
  readonly pages: Pages;
  /** Returns the origin of our pages for a Host header that `judgeRequest` has accepted. */
  originOf(host: string): string;
  /** Reports an error that is a bug. */
  reportBug(error: unknown): void;
}

export function createApp(parts: AppParts): Hono {
  const app = new Hono();
  const describe = route({
    verb: "get",
    path: "/api/openapi.json",
    summary: "returns this document",
    run: async () => ({ kind: "json", value: openApiOf(routes, parts.hub.facts.version) }),
  });
  const routes: readonly Route[] = [...hubRoutes, ...sessionRoutes, describe];
  app.use(
    bodyLimit({
      maxSize: maxBodyBytes,
      onError: (context) => refuse(context, 413, `a request takes at most ${maxBodyBytes} bytes`),
    }),
  );
  for (const one of routes) {
    app.on(one.verb.toUpperCase(), one.path, async (context) => {
      const origin = originOf(parts, context);
      if (one.open !== true && !(await parts.credentials.accepts(bearerOf(context), origin))) {
        context.header("WWW-Authenticate", "Bearer");
        return refuse(
          context,
          401,
          'expected a valid key: "localharness serve link" prints a link that pairs a browser',
        );
      }
      return answer(parts, one, context);
    });
  }
  app.get("/*", (context) => {
    const page = parts.pages.find(context.req.path);
    if (page === undefined) return refuse(context, 404, "there is nothing at this path");
    return context.body(page.body, 200, { "Content-Type": page.type, "Cache-Control": page.caching });
  });
  app.notFound((context) => refuse(context, 404, "there is nothing at this path"));
  app.onError((error, context) => refuseAfter(parts, error, context));
  return app;
}

async function answer(parts: AppParts, one: Route, context: Context): Promise<Response> {
  const id = context.req.param("id") ?? "";
  if (one.path.includes(":id") && !sessionId.safeParse(id).success) {
    return refuse(context, 404, "there is no session of this id");
  }
  const body = await readBody(one, context);
  if (!body.ok) return refuse(context, 400, body.message);
  const query = check(one.query, context.req.query());
  if (!query.ok) return refuse(context, 400, query.message);
  const requestKey = context.req.header("Idempotency-Key")?.slice(0, 100);
  const reply = await one.run(parts, {
    body: body.value as never,
    query: query.value as never,
    id,
    method: context.req.param("method") ?? "",
    origin: originOf(parts, context),
    isOwnUser: () => isOwnUser((context.env as HttpBindings).incoming.socket),
    sender: {
      name: clientName(context.req.header("Localharness-Client")),
      ...(requestKey ? { requestKey } : {}),
    },
    signal: context.req.raw.signal,
  });
  return send(context, reply);
}

type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

async function readBody(one: Route, context: Context): Promise<Checked> {
  if (one.body === undefined) return { ok: true, value: undefined };
  let value: unknown;
  try {
    value = JSON.parse(await context.req.text());
  } catch (error) {
    // The body limit ends the reading of a body that is too long, which is not an error of the JSON.
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, message: `the body is not JSON: ${error.message}` };
  }
  return check(one.body, value);
}

function check(schema: z.ZodType | undefined, value: unknown): Checked {
  if (schema === undefined) return { ok: true, value: undefined };
  const read = schema.safeParse(value);
  return read.success ? { ok: true, value: read.data } : { ok: false, message: z.prettifyError(read.error) };
}

function originOf(parts: AppParts, context: Context): string {
  return parts.originOf(context.req.header("Host") ?? "");
}

function bearerOf(context: Context): string {
  return /^Bearer (\S+)$/.exec(context.req.header("Authorization") ?? "")?.[1] ?? "";
}

function send(context: Context, reply: Reply): Response {
  context.header("Cache-Control", "no-store");
  switch (reply.kind) {
    case "json":
      return context.json(reply.value as object, reply.status ?? 200);
    case "text":
      return context.body(reply.text, 200, { "Content-Type": `${reply.type}; charset=utf-8` });
    case "lines":
      return context.body(reply.lines, 200, { "Content-Type": "application/x-ndjson" });
    case "refused":
      return refuse(context, reply.status, reply.message);
  }
}

function refuse(context: Context, status: ContentfulStatusCode, error: string): Response {
  context.header("Cache-Control", "no-store");
  return context.json({ error }, status);
}

/** Answers a request whose handler threw. Only a `HarnessError` has a message for the client; bugs are reported. */
function refuseAfter({ reportBug }: AppParts, error: Error, context: Context): Response {
  if (error.name === "HarnessError") return refuse(context, 409, reasonOf(error));
  // Node reports a client that leaves within its request as a reset of the connection.
  const hasGone = error.name === "AbortError" || ("code" in error && error.code === "ECONNRESET");
  if (hasGone) return refuse(context, 409, "the client ended the request");
  reportBug(error);
  return refuse(context, 500, "the server failed on this request: its terminal shows why");
}
