/** Declares what a route of the server is. The table of routes makes the handlers and the OpenAPI document. */
import type { Hub } from "@localharness/protocol";
import { z } from "zod";
import type { Credentials } from "../credentials.ts";
import type { Sender } from "../desk.ts";
import type { Desks } from "../desks.ts";

/** The parts of the server that the handlers of routes use. */
export interface Service {
  readonly hub: Hub;
  readonly desks: Desks;
  readonly credentials: Credentials;
  /** Returns the address for other machines; undefined if they cannot reach the server. */
  outerAddress(): string | undefined;
}

/** A checked request. */
export interface CheckedRequest<Body, Query> {
  readonly body: Body;
  readonly query: Query;
  /** The session id of the path; empty when the path has none. */
  readonly id: string;
  /** The last part of the path of a host method; empty for other paths. */
  readonly method: string;
  /** The origin under which the client reaches the server. */
  readonly origin: string;
  /** Returns true if the client is a program of the user of this process. */
  isOwnUser(): Promise<boolean>;
  readonly sender: Sender;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

export type Reply =
  | { readonly kind: "json"; readonly status?: 200 | 201 | 202; readonly value: unknown }
  | { readonly kind: "text"; readonly type: string; readonly text: string }
  | { readonly kind: "lines"; readonly lines: ReadableStream<Uint8Array> }
  | { readonly kind: "refused"; readonly status: 400 | 401 | 404 | 409; readonly message: string };

export interface Route {
  readonly verb: "get" | "post" | "delete";
  /** The path, which may have the parameters `:id` and `:method`. */
  readonly path: string;
  readonly summary: string;
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  /** True for a route that needs no key. */
  readonly open?: boolean;
  run(service: Service, asked: CheckedRequest<never, never>): Promise<Reply>;
}

/** Returns a route whose handler gets the checked body and query. */
export function route<
  const Body extends z.ZodType = z.ZodUndefined,
  const Query extends z.ZodType = z.ZodUndefined,
>(
  given: Omit<Route, "body" | "query" | "run"> & {
    readonly body?: Body;
    readonly query?: Query;
    run(service: Service, asked: CheckedRequest<z.output<Body>, z.output<Query>>): Promise<Reply>;
  },
): Route {
  return given as Route;
}

export const sessionId = z.string().regex(/^[\w-]{1,64}$/);

export function json(value: unknown, status: 200 | 201 | 202 = 200): Reply {
  return { kind: "json", status, value };
}

export function refused(status: 400 | 401 | 404 | 409, message: string): Reply {
  return { kind: "refused", status, message };
}

export const notOpen = refused(404, "this session is not open: POST /api/sessions opens it");
