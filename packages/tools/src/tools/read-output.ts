/** `read_output`: returns the new output of a command in the background, and its end if it has ended. */

import { hiddenNotes } from "@localharness/commands/secrets/secrets";
import { defineTool, type Tool, type ToolContext, type ToolOutput } from "@localharness/engine";
import { describeOutput } from "@localharness/processes/children/describe-output";
import type { Jobs } from "@localharness/processes/children/jobs";
import type { JobPorts } from "@localharness/processes/sandbox/job-ports";
import { offerServers } from "@localharness/processes/sandbox/offer-servers";
import type { JsonObject } from "@localharness/protocol";
import { refused } from "@localharness/workspace/outcome";
import { numberArgument, textArgument } from "../parts/arguments.ts";

interface Parts {
  readonly jobs: Jobs;
  readonly ports: JobPorts;
}

const maxWaitSeconds = 60;
const marginMs = 5_000;

export function readOutput(resources: Parts): Tool {
  return defineTool({
    name: "read_output",
    description: "Read new output of a background job.",
    parameters: {
      type: "object",
      properties: {
        job: { type: "string" },
        wait: { type: "number", description: "seconds" },
      },
      required: ["job"],
    },
    aliases: ["bash_output", "get_output", "job_output", "read_job"],
    parameterAliases: {
      job: ["job_id", "id", "bash_id", "shell_id"],
      wait: ["timeout", "wait_seconds", "seconds"],
    },
    risk: "safe",
    readOnly: true,
    polls: true,
    timeoutMs: (args) => waitMsOf(args) + marginMs,
    execute: (args, context) => read(resources, args, context),
  });
}

async function read(resources: Parts, args: JsonObject, context: ToolContext): Promise<ToolOutput> {
  const { jobs } = resources;
  const id = textArgument(args, "job") ?? "";
  const found = await jobs.read(id, waitMsOf(args), context.signal);
  if (found === undefined) {
    const known = jobs.list().map((job) => job.id);
    const there = known.length === 0 ? "No job was started" : `The jobs are: ${known.join(", ")}`;
    return refused("not_found", `There is no job "${id}". ${there}. bash with background: true starts one.`);
  }
  // The age of the job is left out, because a result that says nothing new must not count as progress.
  const state = found.ended === undefined ? `[${id} is running]` : `[${id} has ended: ${found.ended}]`;
  const servers = found.ended === undefined ? await offerServers(resources, id, context, 0) : [];
  const notes = [...servers, ...hiddenNotes(found.output.text)];
  return {
    ok: true,
    data: `${describeOutput(found.output)}${state}`,
    ...(notes.length === 0 ? {} : { notes }),
  };
}

function waitMsOf(args: JsonObject): number {
  return Math.min(Math.max(numberArgument(args, "wait") ?? 0, 0), maxWaitSeconds) * 1000;
}
