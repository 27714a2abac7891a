/** Runs one scripted task with any harness, unattended, against the server with a small window. */
import { rmSync } from "node:fs";
import { isJsonObject, type JsonValue } from "@localharness/protocol";
import { fillTool, type OfferedTool } from "../fake-model/fill-tool.ts";
import { runProgram } from "../measure/run-program.ts";
import type { Program } from "../programs/program.ts";
import { countBodyTokens } from "./count-tokens.ts";
import { makePlace, measure, type SessionFigures } from "./run-session.ts";
import { answersOf, type Needle, type SessionScript, summaryOf } from "./scripts.ts";
import { type ScriptedAnswer, type ScriptedCall, startWindowServer } from "./window-server.ts";

export type TaskFigures = Omit<SessionFigures, "compactions" | "silentCuts" | "reused">;

/**
 * Gives the program the only message of the script, and returns the figures of that run. The scripted calls are rewritten
 * to the tool and argument names that the program itself offers. A script with more than one message does not end.
 */
export async function runTask(program: Program, script: SessionScript, window: number): Promise<TaskFigures> {
  const place = makePlace(script.files);
  const answers = answersOf(script);
  const prefix = program.absolutePaths ? `${place.workspace}/` : "";
  const server = await startWindowServer({
    window,
    count: countBodyTokens,
    tooLong: "refuse",
    answerOf: (index, body) =>
      inToolsOf(body, answers[index] ?? { text: "Nothing more is scripted." }, prefix),
    answerBeside: (body) => besideOf(body, script.needles),
  });
  program.prepare?.(place.home, server.origin, window);
  const [prompt = ""] = script.messages.map(({ text }) => text);
  const job = { prompt, serverUrl: server.origin, workspace: place.workspace, home: place.home };
  const { problems } = await runProgram(program.prompt(job), place);
  await server.close();
  const { prompts, beside } = server;
  rmSync(place.root, { recursive: true, force: true, maxRetries: 5 });
  const missing = answers.length - prompts.length;
  return {
    ...measure(prompts, beside, script, Number.POSITIVE_INFINITY),
    refused: server.refused(),
    summaries: beside.length,
    ended: missing === 0 && problems.length === 0,
    problems: missing === 0 ? problems : [`${prompts.length} of ${answers.length} prompts`, ...problems],
  };
}

/**
 * Returns the text that answers a request beside the conversation: every needle in the request, as a careful model writes
 * them down. Returns undefined for a request of the conversation, which has tools and asks for no summary.
 */
function besideOf(body: string, needles: readonly Needle[]): string | undefined {
  if (toolsIn(body).length > 0 && summaryOf(body) === undefined) return undefined;
  return `Found so far: ${needles.flatMap(({ text }) => (body.includes(text) ? [text] : [])).join(" ")}`;
}

function inToolsOf(body: string, answer: ScriptedAnswer, prefix: string): ScriptedAnswer {
  if (!("calls" in answer)) return answer;
  const tools = toolsIn(body);
  const calls = answer.calls.flatMap((call): readonly ScriptedCall[] => {
    const filled = fillTool(tools, { path: `${prefix}${String(call.arguments["path"])}` });
    return filled === undefined ? [] : [filled];
  });
  return calls.length === 0 ? { text: "There is no tool that reads a file." } : { calls };
}

function toolsIn(body: string): readonly OfferedTool[] {
  const { tools } = JSON.parse(body) as { readonly tools?: readonly { readonly function?: JsonValue }[] };
  return (tools ?? []).flatMap(({ function: described }) =>
    isJsonObject(described) ? [{ name: String(described["name"]), schema: described["parameters"] }] : [],
  );
}
