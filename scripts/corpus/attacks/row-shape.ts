/** The shape of a row: the parts that the runner knows, with their values. Ignoring any would make a case pass for the wrong reason. */
import type { JsonValue } from "@localharness/protocol";
import { limitsShape } from "./limits.ts";
import type { Row } from "./row.ts";
import { anything, either, flag, list, map, number, oneOf, record, type Shape, text } from "./shape.ts";

export const answerWords = ["allow", "once", "session", "remember", "deny"] as const;
const answer = oneOf(...answerWords);

const call = record({ tool: text, arguments: map(anything), answer }, ["tool"]);
const said = record({ text }, ["text"]);
const pasted = record({ user_paste: text }, ["user_paste"]);
const script = record({ run: text }, ["run"]);
const earlier = either(call, said, pasted, script, text);

const approval = record(
  {
    scope: oneOf("once", "session", "remember"),
    tool: text,
    decision: oneOf("allow", "deny", "ask", "once", "session", "remember"),
    command: text,
    prefix: list(text),
    path: text,
    workspace: text,
    arguments: map(anything),
    already_used: flag,
    schema_hash: text,
  },
  ["tool", "decision"],
);

const step = record({
  send_all: flag,
  send_hex: text,
  split_at_byte: number,
  then_send: text,
  hold_ms: number,
  close: oneOf("rst"),
  exit: number,
  expect: text,
  replay_each_turn: number,
  stop_reading: flag,
  flood_session_events_mb: number,
});

const givenAnswer = either(
  record({
    approval_id: text,
    session: text,
    disconnect: flag,
    decision: answer,
    scope: oneOf("once", "session", "remember"),
    already_used: flag,
  }),
  answer,
);

/** A definition of a tool comes from a hostile server, so that it may have any part. */
const definition = map(anything);

const row: Shape = record({
  id: text,
  area: text,
  kind: oneOf("attack", "control", "note"),
  family: text,
  setup: text,
  tool: text,
  // The text of a row about a terminal is a macro in place of arguments.
  arguments: map(anything),
  raw_arguments: text,
  must: text,
  check: map(anything),
  source: anything,
  live_expected: flag,
  policy: list(approval),
  wire: anything,
  peer: text,
  steps: list(step),
  repeat: number,
  needs: anything,
  answer: givenAnswer,
  model_script: list(either(call, said, pasted)),
  signal: oneOf("SIGINT", "SIGHUP,SIGKILL"),
  concurrent: text,
  parallel_with: list(call),
  kill: oneOf("SIGKILL"),
  fault: text,
  cwd: text,
  clients: number,
  platform: text,
  after_start: text,
  between_ask_and_allow: text,
  before: either(earlier, list(earlier)),
  after_read: text,
  followup: record({ tool: text, arguments: map(anything), answer, check: map(anything) }, ["tool", "check"]),
  mode: oneOf("headless"),
  workspace_root: text,
  mcp_tools: list(definition),
  agent_wrote_since_approval: map(text),
  skip_if: oneOf("root"),
  limits: limitsShape,
  memory: either(limitsShape, number),
  user_paste: either(said, text),
});

/** Returns an error for each part and value of a row that the runner does not know; each names the part. */
export function unknownParts(value: Row): string[] {
  return [...row({ ...value } as unknown as JsonValue, "")];
}

/** Returns an error for each limit of the check `config` that the runner does not know. */
export function unknownLimits({ check }: Row): string[] {
  const config = check["config"];
  if (config === undefined) return [];
  return [...either(limitsShape, turnLimits)(config, "check.config")];
}

const turnLimits = record({ header_timeout_ms: number, idle_timeout_ms: number });
