/** Tests every history over every test template on every route: nothing is refused and nothing is lost. */
import { afterAll, expect, test } from "vitest";
import { ownTemplates, readTemplate, startFakeServer } from "./fake-server/index.ts";
import { dropsOf } from "./histories/expected.ts";
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
  const { refused, saysNone } = driven;
  expect({ refused, lost, saysNone }).toEqual({ refused: undefined, lost: [], saysNone: false });
});
