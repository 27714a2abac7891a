/** Commands about the model and what it works with: `/model`, `/tools`, `/mcp`, `/skills`, `/jobs`, `/init`. */
import {
  changeJobs,
  changeModel,
  changeTool,
  checkInit,
  jobLine,
  modelFacts,
  noJobs,
  serverLines,
  skillLines,
  toolLabel,
} from "@localharness/protocol/command-texts";
import type { App, CommandRuns } from "../app.ts";
import { selectList } from "../dialogs/select-list.ts";
import { screenLine } from "../plain-text.ts";

export const modelAndToolCommands = {
  async init(app, rest) {
    checkInit(app.mode());
    app.submit(await app.host.expandCustomCommand("init", rest));
  },
  async model(app, rest) {
    if (rest === "") chooseModel(app);
    else app.say(await changeModel(app.host, rest));
  },
  async tools(app, rest) {
    if (rest === "") chooseTools(app);
    else app.say(await changeTool(app.host, rest));
  },
  async jobs(app, rest) {
    if (rest === "") chooseJob(app);
    else app.say(await changeJobs(app.host, rest));
  },
  async mcp(app) {
    sayLines(app, await serverLines(app.host));
  },
  async skills(app) {
    sayLines(app, skillLines(await app.host.listSkills()));
  },
} satisfies CommandRuns;

function sayLines(app: App, lines: readonly string[]): void {
  app.say(lines.map(screenLine).join("\n"));
}

function chooseModel(app: App): void {
  app.open(
    selectList({
      title: "Model",
      empty: "the server lists no models: name one with /model NAME",
      enter: "selects it",
      load: async () =>
        (await app.host.listModels()).map((model) => ({
          id: model.name,
          label: model.name,
          about: [...(model.current ? ["in use"] : []), ...modelFacts(model)].join(" · "),
        })),
      async onEnter(row, list) {
        list.tell(`checking ${row.id} …`);
        const said = await changeModel(app.host, row.id);
        list.close();
        app.say(said);
      },
    }),
  );
}

function chooseTools(app: App): void {
  app.open(
    selectList({
      title: "Tools, from the next message on",
      empty: "there are no tools",
      enter: "switches it",
      load: async () =>
        (await app.host.listTools()).map((tool) => ({
          id: tool.name,
          label: toolLabel(tool),
          about: tool.blocked ?? `${tool.risk} · ${tool.about}`,
        })),
      async onEnter(row, list) {
        const tool = (await app.host.listTools()).find(({ name }) => name === row.id);
        try {
          await app.host.switchTool(row.id, tool?.on !== true);
        } finally {
          await list.reload();
        }
      },
    }),
  );
}

function chooseJob(app: App): void {
  app.open(
    selectList({
      title: "Jobs",
      empty: noJobs,
      enter: "ends it",
      load: async () =>
        (await app.host.listJobs()).map((job) => ({ id: job.id, label: jobLine(job), about: job.lastLine })),
      async onEnter(row, list) {
        if (!list.confirm("Enter again ends it")) return;
        await app.host.endJob(row.id);
        await list.reload();
        list.tell(`${row.id} has ended`);
      },
    }),
  );
}
