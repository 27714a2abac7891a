/** Runs the commands of the line chat that print what the host answers. */
import type { HostMethods } from "@localharness/harness/host/create-host";
import { createTaskList, readFolderChange, taskLines } from "@localharness/protocol";
import {
  bugLines,
  changeJobs,
  changeModel,
  changeName,
  changeRules,
  changeTool,
  changeTrust,
  contextLines,
  costLines,
  jobLines,
  modelFacts,
  serverLines,
  skillLines,
  statusLines,
  toolLabel,
} from "@localharness/protocol/command-texts";
import { visibleLine } from "../terminal/plain-text.ts";
import type { Chat, ChatCommandRun, ChatCommandRuns } from "./chat.ts";
import { say } from "./say.ts";

/** The columns of a diff where the output has no width, as in a pipe. */
const defaultColumns = 80;

export const hostCommands = {
  status: printed(async (host) => statusLines(await host.describeStatus())),
  model: printed(async (host, rest) => (rest === "" ? modelLines(host) : [await changeModel(host, rest)])),
  tools: printed(async (host, rest) => (rest === "" ? toolLines(host) : [await changeTool(host, rest)])),
  trust: printed(async (host, rest) => [await changeTrust(host, rest)]),
  "add-dir": printed(async (host, rest) => (await host.changeFolders(readFolderChange(rest))).split("\n")),
  permissions: printed(async (host, rest) => {
    const said = await changeRules(host, rest);
    return said === undefined ? ruleLines(host) : [said];
  }),
  tasks: printed(async (_host, _rest, chat) => {
    const list = createTaskList();
    for (const event of chat.taskEvents()) list.take(event);
    return taskLines(list.tasks());
  }),
  jobs: printed(async (host, rest) => (rest === "" ? jobLines(host) : [await changeJobs(host, rest)])),
  mcp: printed(serverLines),
  skills: printed(async (host) => skillLines(await host.listSkills())),
  context: printed((host) => contextLines(host)),
  cost: printed(async (host) => costLines(await host.listCosts())),
  config: printed(configLines),
  bug: printed(bugLines),
  rename: printed(async (host, rest, { session }) => [await changeName(host, session.id, rest)]),
  diff: printed(async (host) => {
    const { plainChangeLines } = await import("@localharness/terminal");
    return plainChangeLines(await host.listChanges(), process.stdout.columns ?? defaultColumns);
  }),
} satisfies ChatCommandRuns;

/** Returns a function that prints the lines that `ask` returns. */
function printed(
  ask: (host: HostMethods, rest: string, chat: Chat) => Promise<readonly string[]>,
): ChatCommandRun {
  return async (chat, rest) => {
    say(chat, (await ask(await chat.methods(), rest, chat)).map(visibleLine).join("\n"));
  };
}

async function modelLines(host: HostMethods): Promise<readonly string[]> {
  const found = await host.listModels();
  return found.map(
    (model) => `${model.current ? "*" : " "} ${[model.name, ...modelFacts(model)].join(", ")}`,
  );
}

async function toolLines(host: HostMethods): Promise<readonly string[]> {
  const all = await host.listTools();
  return all.map((tool) => `${toolLabel(tool).padEnd(26)} ${tool.blocked ?? tool.about}`);
}

async function ruleLines(host: HostMethods): Promise<readonly string[]> {
  const rules = await host.listRules();
  const here = rules.filter(({ elsewhere }) => !elsewhere);
  const others = rules.length - here.length;
  return [
    ...here.map(({ line, about }) => `${line} · ${about}`),
    ...(here.length === 0 ? ["there are no rules and no remembered answers for this folder"] : []),
    ...(others === 0 ? [] : [`${others} more for other folders: localharness policy list`]),
  ];
}

async function configLines(host: HostMethods, rest: string): Promise<readonly string[]> {
  const [, key = "", value = ""] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
  if (value !== "") {
    const problem = await host.changeSetting(key, value);
    return [problem ?? `saved: ${key} = ${value}, from the next start on`];
  }
  const fields = (await host.listSettings()).filter((field) => key === "" || field.key === key);
  if (fields.length === 0) return [`there is no setting ${key}`];
  return fields.map(({ key: name, value: now, shown, origin, expected }) =>
    [name.padEnd(28), shown ?? now ?? "-", origin === "" ? `(${expected})` : `(${origin})`].join(" "),
  );
}
