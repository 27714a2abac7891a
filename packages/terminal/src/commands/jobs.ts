/** `/jobs`: shows the commands that run in the background and ends them. */
import { commandFacts, type Host, type JobSummary, timeText } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";
import { selectList } from "../dialogs/select-list.ts";

const empty = "no command runs in the background";

export const jobs: SlashCommand = {
  ...commandFacts.jobs,
  run(app) {
    app.open(
      selectList({
        title: "Jobs",
        empty,
        enter: "ends it",
        load: async () =>
          (await app.host.listJobs()).map((job) => ({
            id: job.id,
            label: jobLine(job),
            about: job.lastLine,
          })),
        async onEnter(row, list) {
          if (!list.confirm("Enter again ends it")) return;
          await app.host.endJob(row.id);
          await list.reload();
          list.tell(`${row.id} has ended`);
        },
      }),
    );
  },
};

/** Returns the lines that answer `/jobs` and `/jobs end ID` in the line-by-line chat. The caller must clean them. */
export async function jobLines(
  host: Pick<Host, "listJobs" | "endJob">,
  rest: string,
): Promise<readonly string[]> {
  const [word, id] = rest.split(" ");
  if (rest !== "" && (word !== "end" || id === undefined)) return ["usage: /jobs, /jobs end ID"];
  if (id !== undefined) {
    await host.endJob(id);
    return [`${id} has ended`];
  }
  const all = await host.listJobs();
  if (all.length === 0) return [empty];
  return all.flatMap((job) => [jobLine(job), ...(job.lastLine === "" ? [] : [`  ${job.lastLine}`])]);
}

function jobLine({ id, command, state, ageMs }: JobSummary): string {
  return `${id}  ${state}, ${timeText(ageMs)}  ${command}`;
}
