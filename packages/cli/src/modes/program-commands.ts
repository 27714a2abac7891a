/** Runs chat commands: models, tools, trust, rules, context, tasks, jobs, MCP servers, cost, settings, bug reports. */
import type { HostMethods } from "@localharness/harness/host/create-host";
import {
  createTaskList,
  isToolScope,
  modeAtPermissions,
  readFolderChange,
  type TrustChoice,
  taskLines,
  tokensText,
  toolScopeText,
} from "@localharness/protocol";
import { visibleLine } from "../terminal/plain-text.ts";
import type { Chat } from "./chat.ts";
import { say } from "./say.ts";

export function model(chat: Chat, rest: string): Promise<void> {
  return asked(chat, async (host) => {
    if (rest !== "") {
      await host.useModel(rest);
      return [`model ${rest}, from the next answer on`];
    }
    const found = await host.listModels();
    return found.map(({ name, current, contextWindow, tools: calls, profile }) => {
      const window = contextWindow === undefined ? "" : `, ${tokensText(contextWindow)} window`;
      const kind = calls === undefined ? "" : calls ? ", tools" : ", tools as text";
      const known = profile === undefined ? "" : `, ${profile}`;
      return `${current ? "* " : "  "}${name}${window}${kind}${known}`;
    });
  });
}

export function tools(chat: Chat, rest: string): Promise<void> {
  return asked(chat, async (host) => {
    if (rest === "") {
      const all = await host.listTools();
      return all.map(({ name, on, about, blocked }) => {
        const mark = blocked === undefined ? (on ? "x" : " ") : "-";
        return `[${mark}] ${name.padEnd(22)} ${blocked ?? about}`;
      });
    }
    const [name = "", state = "", scope = "kept"] = rest.split(" ");
    if ((state !== "on" && state !== "off") || !isToolScope(scope)) {
      return ["usage: /tools NAME on | off [session]"];
    }
    await host.switchTool(name, state === "on", scope);
    return [`${name} is ${state} from the next message on, ${toolScopeText(scope)}`];
  });
}

const trustChoices: readonly TrustChoice[] = ["yes", "auto", "read"];

export function trust(chat: Chat, rest: string): Promise<void> {
  return asked(chat, async (host) => {
    const choice = trustChoices.find((one) => one === rest);
    if (choice === undefined && rest !== "") return ["usage: /trust yes | auto | read"];
    return [await host.changeTrust(choice)];
  });
}

export function addDir(chat: Chat, rest: string): Promise<void> {
  return asked(chat, async (host) => [await host.changeFolders(readFolderChange(rest))]);
}

export function permissions(chat: Chat, rest: string): Promise<void> {
  return asked(chat, async (host) => {
    const [action, id] = rest.split(" ");
    if (action === "forget" && id !== undefined) {
      const { ofSession = false } = (await host.listRules()).find((rule) => rule.id === id) ?? {};
      await host.forgetRule(id);
      return [`${ofSession ? "taken back" : "forgotten"}, from the next call on`];
    }
    const meant = modeAtPermissions(rest);
    if (meant !== undefined) return [meant];
    const rules = await host.listRules();
    const here = rules.filter(({ elsewhere }) => !elsewhere);
    const others = rules.length - here.length;
    return [
      ...here.map(({ line, about }) => `${line} · ${about}`),
      ...(here.length === 0 ? ["there are no rules and no remembered answers for this folder"] : []),
      ...(others === 0 ? [] : [`${others} more for other folders: localharness policy list`]),
    ];
  });
}

export function context(chat: Chat): Promise<void> {
  return asked(chat, async (host) => {
    const { contextTable, windowLines } = await import("@localharness/terminal");
    const [parts, exact, report] = await Promise.all([
      host.listContext(),
      host.countContext(),
      host.describeWindow(),
    ]);
    return [...contextTable(parts, report.window?.tokens, undefined, exact), ...windowLines(report)];
  });
}

export function tasks(chat: Chat): Promise<void> {
  return asked(chat, async () => {
    const list = createTaskList();
    for (const event of chat.taskEvents()) list.take(event);
    return taskLines(list.tasks());
  });
}

export function jobs(chat: Chat, rest: string): Promise<void> {
  return asked(chat, async (host) => (await import("@localharness/terminal")).jobLines(host, rest));
}

export function mcp(chat: Chat): Promise<void> {
  return asked(chat, async (host) => (await import("@localharness/terminal")).serverLines(host));
}

export function skills(chat: Chat): Promise<void> {
  return asked(chat, async (host) => (await import("@localharness/terminal")).skillLines(host));
}

export function cost(chat: Chat): Promise<void> {
  return asked(chat, async (host) => {
    const { costLines } = await import("@localharness/terminal");
    return costLines(await host.listCosts());
  });
}

export function config(chat: Chat, rest: string): Promise<void> {
  return asked(chat, async (host) => {
    const [key = "", ...words] = rest.split(" ");
    if (words.length > 0) {
      const problem = await host.changeSetting(key, words.join(" "));
      return [problem ?? `saved: ${key} = ${words.join(" ")}, from the next start on`];
    }
    const fields = (await host.listSettings()).filter((field) => key === "" || field.key === key);
    if (fields.length === 0) return [`there is no setting ${key}`];
    return fields.map(({ key: name, value, shown, origin, expected }) =>
      [name.padEnd(28), shown ?? value ?? "-", origin === "" ? `(${expected})` : `(${origin})`].join(" "),
    );
  });
}

export function bug(chat: Chat): Promise<void> {
  return asked(chat, async (host) => [
    ...(await host.describeProgram()).split("\n"),
    "None of this was sent. Copy it into your bug report and add what you did, what you expected and what happened.",
  ]);
}

/** Prints the lines that `ask` returns. */
async function asked(chat: Chat, ask: (host: HostMethods) => Promise<readonly string[]>): Promise<void> {
  say(chat, (await ask(await chat.methods())).map(visibleLine).join("\n"));
}
