/** A person may change the model and the tools of a session while it lasts. */
import { createRegistry, type Model } from "@localharness/engine";
import { applyEvent, emptyView } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { makeTool } from "../make-tool.ts";
import { openSession, runTurn } from "../open-session.ts";
import { call, say, scriptedModel } from "../scripted-model.ts";

const named = (name: string, model: Model): Model => ({ ...model, name });
const other = makeTool({ name: "other" });

describe("the model", () => {
  test("of a session that has not begun is the one it begins with", async () => {
    const opened = openSession({ steps: [] });
    opened.session.useModel(named("second", scriptedModel([say("from the second")])));
    await runTurn(opened);
    expect(opened.of("session-start")).toMatchObject([{ model: "second" }]);
    expect(opened.of("model-changed")).toEqual([]);
  });

  test("is another one from the next call on, with all that was said before", async () => {
    const second = scriptedModel([say("done")]);
    const opened = openSession({ steps: [call(["look"])] });
    opened.session.subscribe((event) => {
      if (event.type === "tool-start") opened.session.useModel(named("second", second));
    });
    await opened.session.prompt("go");
    expect(opened.model.requests).toHaveLength(1);
    expect(second.requests[0]?.messages.map((message) => message.role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
    ]);
    expect(opened.of("model-changed")).toMatchObject([
      { model: "second", provider: "test", turnId: "turn-1" },
    ]);
    expect(opened.session.view().session).toMatchObject({ model: "second" });
    expect(opened.events.reduce(applyEvent, emptyView)).toEqual(opened.session.view());
  });
});

describe("the tools", () => {
  test("change between turns", async () => {
    const opened = openSession({ steps: [say("ok"), call(["other"]), say("ok")] });
    await runTurn(opened);
    opened.session.useTools(createRegistry([other]));
    await runTurn(opened);
    expect(opened.of("tools-changed")).toMatchObject([{ tools: ["other"], turnId: "" }]);
    expect(opened.model.requests.map((request) => request.tools.map((tool) => tool.name))).toEqual([
      ["look"],
      ["other"],
      ["other"],
    ]);
    expect(opened.results()).toMatchObject([{ tool: "other", result: { success: true } }]);
    expect(opened.session.view().session?.tools).toEqual(["other"]);
  });

  test("stay as they are until a turn that runs has ended", async () => {
    const opened = openSession({ steps: [call(["look"]), say("ok"), say("ok")] });
    opened.session.subscribe((event) => {
      if (event.type === "tool-start") opened.session.useTools(createRegistry([other]));
    });
    await runTurn(opened);
    await runTurn(opened);
    expect(opened.model.requests.map((request) => request.tools.map((tool) => tool.name))).toEqual([
      ["look"],
      ["look"],
      ["other"],
    ]);
  });
});
