/** Checks that the list of tools says which tools that are on do not run in the session. */
import { createRegistry } from "@localharness/engine";
import { expect, test } from "vitest";
import { makeTool } from "../../../engine/test/make-tool.ts";
import { listToolChoices, type SessionLimits } from "../../src/host/tool-choices.ts";

const all = [
  makeTool({ name: "look", readOnly: true, risk: "low" }),
  makeTool({ name: "note", readOnly: false, risk: "safe" }),
  makeTool({ name: "write", readOnly: false, risk: "high" }),
  makeTool({ name: "unused", readOnly: false, risk: "high" }),
];
const parts = { registry: createRegistry(all.slice(0, 3)), allTools: createRegistry(all) };

test.each<[SessionLimits, readonly string[], RegExp]>([
  [{ trust: "reading", mode: "default" }, ["note", "write"], /not trusted; \/trust yes/],
  [{ trust: "full", mode: "plan" }, ["write"], /^off in mode plan/],
  [{ trust: "full", mode: "default" }, [], /./],
  [{ trust: "tools", mode: "auto" }, [], /./],
])("with %j", (limits, names, why) => {
  const blocked = listToolChoices(parts, limits).filter((tool) => tool.blocked !== undefined);
  expect(blocked.map(({ name }) => name)).toEqual(names);
  for (const tool of blocked) expect(tool).toMatchObject({ on: true, blocked: expect.stringMatching(why) });
});
