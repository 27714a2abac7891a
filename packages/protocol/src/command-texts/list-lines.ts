/** Writes what commands say that list something: the state, models, tools, skills, MCP servers, jobs. The callers clean the lines. */
import { sizeText, timeText, tokensText } from "../amounts.ts";
import type { Host, JobSummary, ModelChoice, SkillList, StatusRow, ToolChoice } from "../host.ts";

/** Returns the lines of `/status`. `used` is the number of tokens in the context window after the newest request. */
export function statusLines(rows: readonly StatusRow[], used?: number): readonly string[] {
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows.map(({ name, value }) => {
    const counted = name === "context" && used !== undefined ? `${used} tokens used, ` : "";
    return `${name.padEnd(width)}  ${counted}${value}`;
  });
}

/** Returns what is known of a model, for one row of a list. */
export function modelFacts({
  contextWindow,
  tools,
  vision,
  sizeBytes,
  profile,
}: ModelChoice): readonly string[] {
  return [
    contextWindow === undefined ? "" : `${tokensText(contextWindow)} window`,
    tools === undefined ? "" : tools ? "tools" : "tools as text",
    vision === true ? "sees images" : "",
    sizeBytes === undefined || sizeBytes < 1_000_000 ? "" : sizeText(sizeBytes),
    profile ?? "",
  ].filter((fact) => fact !== "");
}

/** Returns the name of a tool with a mark: whether it is on, or on and of no use in this session. */
export function toolLabel({ name, on, blocked }: ToolChoice): string {
  return `${blocked === undefined ? (on ? "[x]" : "[ ]") : "[-]"} ${name}`;
}

const noSkills =
  "there are no skills: a folder with a SKILL.md in ~/.config/localharness/skills, or in .agents/skills of a trusted folder, is one";

/** Returns the lines of `/skills`. */
export function skillLines({ skills, problems }: SkillList): readonly string[] {
  return [
    ...(skills.length === 0 ? [noSkills] : []),
    ...skills.map(
      ({ name, description, folder, remarks }) =>
        `/${name}  ${description}  (${[folder, ...remarks].join("; ")})`,
    ),
    ...problems.map((problem) => `! ${problem}`),
  ];
}

const noServers = "there are no MCP servers: localharness mcp add NAME -- COMMAND adds one";
const shownLogs = 3;

/** Returns the lines of `/mcp`. */
export async function serverLines(host: Pick<Host, "listServers">): Promise<readonly string[]> {
  const servers = await host.listServers();
  if (servers.length === 0) return [noServers];
  return servers.flatMap(({ name, state, tools, problems, logs }) => [
    `${name}  ${state}`,
    ...(tools.length === 0 ? [] : [`  tools: ${tools.join(", ")}`]),
    ...problems.map((problem) => `  ! ${problem}`),
    ...logs.slice(-shownLogs).map((log) => `  log: ${log}`),
  ]);
}

export const noJobs = "no command runs in the background";

/** Returns the lines of `/jobs` where no job can be chosen from a list. */
export async function jobLines(host: Pick<Host, "listJobs">): Promise<readonly string[]> {
  const all = await host.listJobs();
  if (all.length === 0) return [noJobs];
  return all.flatMap((job) => [jobLine(job), ...(job.lastLine === "" ? [] : [`  ${job.lastLine}`])]);
}

export function jobLine({ id, command, state, ageMs }: JobSummary): string {
  return `${id}  ${state}, ${timeText(ageMs)}  ${command}`;
}

/** Returns the lines of `/bug`. */
export async function bugLines(host: Pick<Host, "describeProgram">): Promise<readonly string[]> {
  return [
    ...(await host.describeProgram()).split("\n"),
    "",
    "None of this was sent. Copy it into your bug report and add what you did, what you expected and what happened.",
  ];
}
