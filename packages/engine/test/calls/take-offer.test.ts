/** Offers of a tool in a question: which answer takes one, and what the tool gets. */
import type { Tool } from "@localharness/engine";
import type { Command } from "@localharness/protocol";
import { expect, test } from "vitest";
import { makeTool } from "../make-tool.ts";
import { expectSound, openSession } from "../open-session.ts";
import { call, say } from "../scripted-model.ts";

const offers = [
  { id: "net", words: "Once, with the network", short: "Network", detail: "any host" },
  { id: "out", words: "Once, outside", short: "Outside", detail: "no protection", warns: true },
];
type Answer = Omit<Extract<Command, { type: "permission-answer" }>, "type" | "requestId">;

async function answered(answers: readonly Answer[], more: Partial<Tool> = {}, calls = answers.length) {
  const taken: (string | undefined)[] = [];
  const tool = makeTool({
    name: "write",
    readOnly: false,
    risk: "low",
    examine: () => ({ offers }),
    execute: async (_args, { offer }) => {
      taken.push(offer);
      return { ok: true, data: "done" };
    },
    ...more,
  });
  const steps = [...answers.slice(0, calls).map((_, at) => call(["write", { path: `${at}` }])), say("ok")];
  const opened = openSession({ steps, tools: [tool] });
  const left = [...answers];
  opened.session.subscribe((event) => {
    const answer = event.type === "permission-request" ? left.shift() : undefined;
    if (event.type !== "permission-request" || answer === undefined) return;
    opened.session.send({ type: "permission-answer", requestId: event.request.requestId, ...answer });
  });
  await opened.session.prompt("go");
  expectSound(opened);
  return { opened, taken };
}

test.each<readonly [string, readonly Answer[], readonly (string | undefined)[]]>([
  [
    "an offer reaches the tool, for its call only",
    [{ answer: "once", offer: "net" }, { answer: "once" }],
    ["net", undefined],
  ],
  ["a denial takes none", [{ answer: "deny", offer: "net" }], []],
  ["an offer that was not made denies", [{ answer: "once", offer: "everything" }], []],
  [
    "an offer holds for one call, so that it cannot be remembered",
    [{ answer: "remember", offer: "net" }],
    [],
  ],
  ["nor for the session", [{ answer: "session", offer: "out" }], []],
])("%s", async (_title, answers, expected) => {
  const { taken, opened } = await answered(answers);
  expect(taken).toEqual(expected);
  expect(opened.of("permission-answer").map(({ offer }) => offer)).toEqual(
    expected.length === 0 ? [undefined] : expected,
  );
});

test("an offer that is taken covers no later call, although an answer to a low risk does", async () => {
  const { opened } = await answered([
    { answer: "once", offer: "net" },
    { answer: "once", offer: "out" },
  ]);
  expect(opened.of("permission-request")).toHaveLength(2);
});

test.each(["session", "remember", "once"] as const)(
  "%s without an offer covers no later call either, as the question says",
  async (answer) => {
    const { opened } = await answered([{ answer }, { answer: "deny" }]);
    expect(opened.of("permission-request")).toHaveLength(2);
  },
);

test("a question with offers says that each answer covers one call", async () => {
  const { opened } = await answered([{ answer: "deny" }]);
  const [event] = opened.of("permission-request");
  expect(event?.request).toMatchObject({ offers, answers: ["once", "deny"], covers: "this one call" });
});

test("an offer that is not on offer any more is not taken", async () => {
  let round = 0;
  const examine = () => {
    round += 1;
    return round === 1 ? { offers, seen: "first" } : { seen: "later" };
  };
  const twice = [
    { answer: "once", offer: "net" },
    { answer: "once", offer: "net" },
  ] as const;
  const { taken, opened } = await answered(twice, { examine }, 1);
  expect(opened.of("permission-request")).toHaveLength(2);
  expect(taken).toEqual([]);
});
