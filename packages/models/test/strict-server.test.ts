/** Every history over every template of the tests, on every route: nothing is refused and nothing is lost. */
import { afterAll, expect, test } from "vitest";
import { ownTemplates, readTemplate, startFakeServer } from "./fake-server/index.ts";
import { dropsOf, isPending } from "./histories/expected.ts";
import { driveHistory, histories, routes } from "./histories/index.ts";

const server = await startFakeServer({ turns: [] });
afterAll(() => server.close());

const names = Object.keys(ownTemplates) as (keyof typeof ownTemplates)[];
const rows = names.flatMap((template) =>
  routes.flatMap((route) => histories.map((history) => ({ template, route, history }))),
);

test.each(rows)("$template, $route.name, $history.name", async ({ template, route, history }) => {
  const driven = await driveHistory(server, route, readTemplate(template), history);
  const dropped = dropsOf(template, history.name);
  const lost = driven.lost.filter(({ kind }) => !dropped.includes(kind)).map(({ text }) => text);
  const came = { refused: driven.refused, lost, saysNone: driven.saysNone };
  const wanted = { refused: undefined, lost: [], saysNone: false };
  // A row that is pending has to fail: as soon as it does not, it is taken from the list.
  if (isPending(template, route.name, history.name)) expect(came).not.toEqual(wanted);
  else expect(came).toEqual(wanted);
});
