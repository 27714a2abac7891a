/**
 * The routes of sessions: list, open, state, commands, methods of the host, shell commands, close, rename, delete,
 * export.
 */
import { permissionModes, readCommand } from "@localharness/protocol";
import { z } from "zod";
import { hostMethods, isHostMethod } from "../host-methods.ts";
import { outputStream } from "./output-stream.ts";
import { json, notOpen, type Route, refused, route, sessionId } from "./route.ts";

const mode = z.enum(permissionModes).optional();
const choice = z.union([
  z.object({ kind: z.literal("resume"), id: z.string().min(1).max(200), mode }),
  z.object({ kind: z.literal("fork"), id: sessionId, beforeSeq: z.int().nonnegative(), mode }),
  z.strictObject({ kind: z.literal("new").default("new"), mode }),
]);
const exportTypes = { markdown: "text/markdown", json: "application/json", html: "text/html" } as const;

export const sessionRoutes: readonly Route[] = [
  route({
    verb: "get",
    path: "/api/sessions",
    summary: "lists the open sessions and the saved ones, which contain `words` if given",
    query: z.object({ words: z.string().max(1_000).default("") }),
    async run({ hub, desks }, { query, signal }) {
      return json({ open: desks.states(), saved: await hub.listSessions(query.words, signal) });
    },
  }),
  route({
    verb: "post",
    path: "/api/sessions",
    summary: "opens a session: a new one, a saved one, or a fork; `mode` is the mode in which it goes on",
    body: choice,
    async run({ desks }, { body: { mode, ...which }, sender }) {
      const desk = await desks.open(which);
      if (mode !== undefined) desk.take({ type: "set-mode", mode }, sender);
      return json(desk.state(), 201);
    },
  }),
  route({
    verb: "get",
    path: "/api/sessions/:id",
    summary: "returns the state of an open session",
    async run({ desks }, { id }) {
      const desk = desks.find(id);
      return desk === undefined ? notOpen : json(desk.state());
    },
  }),
  route({
    verb: "post",
    path: "/api/sessions/:id/commands",
    summary: "sends a command: a message, an answer to a question, an interrupt, a mode, a compaction",
    body: z.looseObject({ type: z.string() }),
    async run({ desks }, { id, body, sender }) {
      const desk = desks.find(id);
      if (desk === undefined) return notOpen;
      const read = readCommand(body);
      if (!read.ok) return refused(400, read.message);
      const taken = desk.take(read.command, sender);
      return taken.ok ? json(desk.state(), 202) : refused(409, taken.message);
    },
  }),
  route({
    verb: "post",
    path: "/api/sessions/:id/host/:method",
    summary: "calls a method of the session's host with `args`",
    body: z.object({ args: z.array(z.unknown()).max(10) }),
    async run({ desks }, { id, method, body, signal }) {
      const desk = desks.find(id);
      if (desk === undefined) return notOpen;
      if (!isHostMethod(method)) return refused(404, `the host has no method "${method.slice(0, 60)}"`);
      const row = hostMethods[method];
      // A client writes a missing argument as null, because JSON has no undefined.
      const read = row.args.safeParse(body.args.map((arg) => arg ?? undefined));
      if (!read.success) return refused(400, `arguments of ${method}: ${z.prettifyError(read.error)}`);
      const result = await row.call(desk.room.host, read.data as readonly never[], signal);
      desk.refresh();
      return json({ result, state: desk.state() });
    },
  }),
  route({
    verb: "post",
    path: "/api/sessions/:id/shell",
    summary: "runs a shell command that the person typed; the reply has its output as JSON lines",
    body: z.object({ command: z.string().min(1).max(100_000) }),
    async run({ desks }, { id, body, signal }) {
      const host = desks.find(id)?.room.host;
      if (host === undefined) return notOpen;
      const lines = outputStream((report) => host.runCommand(body.command, signal, report));
      return { kind: "lines", lines };
    },
  }),
  route({
    verb: "post",
    path: "/api/sessions/:id/close",
    summary: "closes an open session; the saved one stays",
    body: z.object({}),
    async run({ desks }, { id }) {
      await desks.close(id);
      return json({});
    },
  }),
  route({
    verb: "post",
    path: "/api/sessions/:id/name",
    summary: "renames a session",
    body: z.object({ name: z.string().min(1).max(1_000) }),
    async run({ hub }, { id, body }) {
      await hub.renameSession(id, body.name);
      return json({});
    },
  }),
  route({
    verb: "delete",
    path: "/api/sessions/:id",
    summary: "deletes a saved session that is not open",
    async run({ hub }, { id }) {
      await hub.deleteSession(id);
      return json({});
    },
  }),
  route({
    verb: "get",
    path: "/api/sessions/:id/export",
    summary: "returns a session as text",
    query: z.object({ format: z.enum(["markdown", "json", "html"]).default("markdown") }),
    async run({ hub }, { id, query }) {
      return { kind: "text", type: exportTypes[query.format], text: await hub.exportText(id, query.format) };
    },
  }),
];
