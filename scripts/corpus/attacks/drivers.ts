/** The drivers of the rows: which rows each drives, and the parts of a row on which it acts. */

import { isForeignAnswer } from "./answer.ts";
import { driveAnswers } from "./drive-answers.ts";
import { type DriveOptions, driveCall } from "./drive-call.ts";
import { driveKilledRememberer } from "./drive-killed-rememberer.ts";
import { driveLend, lentFamilies } from "./drive-lend.ts";
import { driveMcp } from "./drive-mcp.ts";
import { driveMcpServer } from "./drive-mcp-server.ts";
import { driveNetwork } from "./drive-network.ts";
import { drivePage } from "./drive-page.ts";
import { driveRepeat } from "./drive-repeat.ts";
import { driveScript, driveStart } from "./drive-script.ts";
import { driveKeptChat, driveKilledAppends, driveResume, driveResumeTwice } from "./drive-sessions.ts";
import { driveSignals } from "./drive-signals.ts";
import {
  driveEvents,
  driveKilledWriter,
  driveRefusedKey,
  driveRememberers,
  driveTracedAnswer,
} from "./drive-storage.ts";
import { driveTerminal } from "./drive-terminal.ts";
import { driveWire } from "./drive-wire.ts";
import type { Observation } from "./observation.ts";
import type { Row } from "./row.ts";

type Drive = <Result>(
  row: Row,
  options: DriveOptions,
  look: (seen: Observation) => Promise<Result>,
) => Promise<Result>;

interface Driver {
  /** Returns true if the driver drives the row, unless an earlier one does. */
  fits(row: Row): boolean;
  readonly drive: Drive;
  /** The parts on which the driver acts, beside those of every row. */
  readonly parts: readonly (keyof Row)[];
}

/** The parts on which the runner acts, or that only describe, whatever drives the row. */
const common: readonly string[] = [
  ...["id", "area", "kind", "family", "setup", "tool", "arguments", "must", "check", "source"],
  ...["live_expected", "platform", "skip_if", "needs", "fault", "peer"],
];

/** The parts on which every script of calls acts. */
const scripted = [
  ...(["after_read", "after_start", "concurrent", "cwd", "workspace_root", "mode"] as const),
  ...(["between_ask_and_allow", "limits", "memory"] as const),
] satisfies (keyof Row)[];
const mcpParts = [...scripted, "mcp_tools", "policy", "answer", "user_paste"] satisfies (keyof Row)[];
const callParts = [
  ...([...scripted, "policy", "answer", "user_paste", "raw_arguments", "before", "followup"] as const),
  ...(["parallel_with", "agent_wrote_since_approval"] as const),
] satisfies (keyof Row)[];
const scriptParts = [...scripted, "policy", "answer", "user_paste", "model_script"] satisfies (keyof Row)[];

const mcpFamilies: readonly string[] = ["mcp", "mcp_peer", "mcp_meta"];
const isTool = (name: string) => (row: Row) => row.tool === name;
const isOf = (area: string) => (row: Row) => row.area === area;

/** The first driver that fits drives a row. */
const drivers: readonly Driver[] = [
  {
    fits: (row) => mcpFamilies.includes(row.family) && row.tool === "wire",
    drive: driveMcp,
    parts: ["wire", "steps", "limits", "memory"],
  },
  { fits: (row) => mcpFamilies.includes(row.family), drive: driveMcp, parts: mcpParts },
  {
    fits: (row) => row.area === "network" && lentFamilies.includes(row.family),
    drive: driveLend,
    parts: ["wire", "steps"],
  },
  { fits: (row) => row.family === "mcp_server", drive: driveMcpServer, parts: ["wire", "clients"] },
  {
    fits: (row) => row.area === "network" && row.needs === undefined,
    drive: driveNetwork,
    parts: ["wire", "steps"],
  },
  { fits: isOf("network"), drive: drivePage, parts: ["wire"] },
  { fits: isTool("wire"), drive: driveWire, parts: ["wire", "steps", "limits", "memory"] },
  { fits: isTool("script"), drive: driveScript, parts: scriptParts },
  { fits: isTool("user_paste"), drive: driveScript, parts: scriptParts },
  { fits: isTool("start"), drive: driveStart, parts: [] },
  { fits: isTool("resume"), drive: driveResume, parts: [] },
  { fits: isTool("resume_twice"), drive: driveResumeTwice, parts: [] },
  { fits: isTool("append_loop"), drive: driveKilledAppends, parts: ["kill", "repeat"] },
  { fits: isTool("remember_loop"), drive: driveKilledRememberer, parts: ["kill", "repeat"] },
  {
    fits: (row) => row.tool === "chat" && "files_not_contain" in row.check,
    drive: driveRefusedKey,
    parts: [],
  },
  { fits: isTool("chat"), drive: driveKeptChat, parts: [] },
  { fits: isTool("remember_parallel"), drive: driveRememberers, parts: [] },
  { fits: isTool("strace"), drive: driveTracedAnswer, parts: [] },
  { fits: (row) => row.kill !== undefined, drive: driveKilledWriter, parts: ["kill", "repeat"] },
  { fits: (row) => row.repeat !== undefined, drive: driveRepeat, parts: ["repeat", "concurrent"] },
  { fits: (row) => row.signal !== undefined, drive: driveSignals, parts: ["signal"] },
  { fits: isForeignAnswer, drive: driveAnswers, parts: ["answer"] },
  { fits: (row) => "session_lines_are_json" in row.check, drive: driveEvents, parts: [] },
  {
    fits: (row) => row.area === "terminal" && row.family !== "names",
    drive: driveTerminal,
    parts: scripted,
  },
  { fits: () => true, drive: driveCall, parts: callParts },
];

function driverOf(row: Row): Driver {
  const found = drivers.find(({ fits }) => fits(row));
  if (found === undefined) throw new Error("the last driver fits every row");
  return found;
}

export function driveFor(row: Row): Drive {
  return driverOf(row).drive;
}

/** Returns an error for each part of the row on which its driver does not act: the part would do nothing. */
export function idleParts(row: Row): string[] {
  const { parts } = driverOf(row);
  const isActedOn = (name: string) =>
    common.includes(name) ||
    parts.some((part) => part === name) ||
    // The text that a row about a terminal shows is in its arguments too.
    (name === "wire" && row.area === "terminal");
  return Object.entries(row).flatMap(([name, value]) =>
    isActedOn(name) || (Array.isArray(value) && value.length === 0)
      ? []
      : [`the part ${name} does nothing in a row of tool ${row.tool} and family ${row.family}`],
  );
}
