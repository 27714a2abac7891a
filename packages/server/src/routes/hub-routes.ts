/** The routes of the program: health, proof, pairing, codes, facts, files. */
import { z } from "zod";
import { codeMinutes } from "../credentials.ts";
import { json, type Route, refused, route } from "./route.ts";

export const hubRoutes: readonly Route[] = [
  route({
    verb: "get",
    path: "/health",
    summary: "answers when the server runs",
    open: true,
    run: async () => json({ ok: true }),
  }),
  route({
    verb: "post",
    path: "/api/prove",
    summary:
      "proves that this server knows the key with this id (empty for the token) before the client sends anything of worth",
    open: true,
    body: z.object({ id: z.string().regex(/^[\w-]{0,64}$/), nonce: z.string().regex(/^[\w-]{22,64}$/) }),
    run: async ({ credentials }, { body, origin }) => json(await credentials.prove({ ...body, origin })),
  }),
  route({
    verb: "post",
    path: "/api/pair",
    summary: "exchanges a one-time code for the key of this browser",
    open: true,
    body: z.object({ code: z.string().max(100) }),
    async run({ credentials }, { body, origin, isOwnUser }) {
      const key = await credentials.redeem(body.code, { origin, isOwnUser });
      if (key !== undefined) return json({ key });
      return refused(
        401,
        `the code is wrong, was used before, is for another user, or is older than ${codeMinutes} minutes: "localharness serve link" prints a new link`,
      );
    },
  }),
  route({
    verb: "post",
    path: "/api/codes",
    summary:
      "returns a one-time code that pairs another browser, and the address for other machines if there is one",
    body: z.object({}),
    run: async ({ credentials, outerAddress }) =>
      json({ code: credentials.offerCode(), minutes: codeMinutes, outer: outerAddress() }, 201),
  }),
  route({
    verb: "get",
    path: "/api/hub",
    summary: "returns facts about the program, and the open sessions",
    run: async ({ hub, desks }) => json({ ...hub.facts, open: desks.states() }),
  }),
  route({
    verb: "get",
    path: "/api/files",
    summary: "lists the files of the workspace, without ignored ones",
    query: z.object({ limit: z.coerce.number().int().min(1).max(20_000).default(5_000) }),
    run: async ({ hub }, { query, signal }) => json({ paths: await hub.listFiles(query.limit, signal) }),
  }),
];
