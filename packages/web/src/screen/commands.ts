/** Runs the commands of the command table in a browser. */
import {
  type CommandOn,
  countText,
  type Host,
  permissionModes,
  readFolderChange,
  visibleLine,
} from "@localharness/protocol";
import {
  bugLines,
  changeJobs,
  changeModel,
  changeRules,
  changeTool,
  changeTrust,
  checkInit,
  checkRedo,
  readExport,
  readUndoTurns,
  skillLines,
  statusLines,
} from "@localharness/protocol/command-texts";
import { codeBlocksOf } from "../markdown/blocks.ts";
import { copyText } from "../parts/copy-button.tsx";
import type { Client } from "../session/client.ts";
import { askName, exportSession } from "./session-menu.tsx";
import { changeUi, type OpenDialog, type Panel, themes, ui } from "./ui.ts";
import { redo, undo } from "./undo.ts";

/** `rest` is the text after the name of the command. */
type Run = (client: Client, rest: string) => unknown;

const panel = (one: Panel) => () => changeUi({ panel: one });
const dialog = (one: OpenDialog) => () => changeUi({ dialog: one });
const show = (title: string, lines: readonly string[]) =>
  changeUi({ dialog: { kind: "text", title, text: lines.map(visibleLine).join("\n") } });

/** The methods of the host that commands with words call. */
const hostOf = (
  client: Client,
): Pick<
  Host,
  "useModel" | "switchTool" | "endJob" | "listRules" | "forgetRule" | "changeTrust" | "describeProgram"
> => ({
  useModel: (name) => client.call("useModel", name),
  switchTool: (...words) => client.call("switchTool", ...words),
  endJob: (id) => client.call("endJob", id),
  listRules: () => client.call("listRules"),
  forgetRule: (id) => client.call("forgetRule", id),
  changeTrust: (choice) => client.call("changeTrust", choice),
  describeProgram: () => client.call("describeProgram"),
});

/** Opens what the command shows if there are no words after it; otherwise tells what `change` did with them. */
const shownOr =
  (open: () => void, change: (host: ReturnType<typeof hostOf>, words: string) => Promise<string>): Run =>
  async (client, rest) => {
    if (rest === "") open();
    else client.tell(await change(hostOf(client), rest));
  };

export const webCommands: Readonly<Record<CommandOn<"browser">, Run>> = {
  help: dialog({ kind: "keys" }),
  init: async (client, rest) => {
    checkInit(client.session()?.view.mode);
    await client.openIfNone();
    await client.submit({ text: await client.call("expandCustomCommand", "init", rest), images: [] });
  },
  status: async (client) => show("Status", statusLines(await client.call("describeStatus"))),
  model: shownOr(dialog({ kind: "models" }), changeModel),
  tools: shownOr(panel("tools"), changeTool),
  permissions: async (client, rest) => {
    const said = rest === "" ? undefined : await changeRules(hostOf(client), rest);
    if (said === undefined) changeUi({ panel: "rules" });
    else client.tell(said);
  },
  mode: async (client, rest) => {
    await client.openIfNone();
    const mode = permissionModes.find((one) => one === rest);
    if (mode === undefined) changeUi({ dialog: { kind: "modes" } });
    else await client.send({ type: "set-mode", mode });
  },
  trust: async (client, rest) => show("Trust", (await changeTrust(hostOf(client), rest)).split("\n")),
  "add-dir": async (client, rest) => {
    await client.openIfNone();
    const said = await client.call("changeFolders", readFolderChange(rest));
    show("Folders beside the workspace", said.split("\n"));
  },
  tasks: panel("tasks"),
  jobs: shownOr(panel("jobs"), changeJobs),
  mcp: panel("servers"),
  skills: async (client) => {
    await client.openIfNone();
    show("Skills", skillLines(await client.call("listSkills")));
  },
  context: panel("context"),
  compact: (client, rest) => client.send({ type: "compact", ...(rest === "" ? {} : { keep: rest }) }),
  cost: panel("context"),
  clear: (client) => client.leave(),
  resume: (client, rest) =>
    rest === "" ? changeUi({ sidebar: true }) : client.open({ kind: "resume", id: rest }),
  rename: (client, rest) => {
    const id = idOf(client);
    if (rest === "") askName(client, id, "");
    else return client.api.rename(id, rest).then(() => client.refresh());
  },
  fork: dialog({ kind: "branch" }),
  tree: dialog({ kind: "forks" }),
  files: panel("files"),
  diff: panel("changes"),
  undo: (client, rest) => undo(client, readUndoTurns(rest)),
  redo: (client, rest) => {
    checkRedo(rest);
    return redo(client);
  },
  copy: async (client, rest) => {
    const { name, text } = textToCopy(client, rest);
    client.tell((await copyText(text)) ? `${name} is copied` : "the browser refused to copy");
  },
  export: (client, rest) => {
    const { format, path } = readExport(rest);
    if (path !== undefined) throw new Error("/export takes markdown, json or html; a browser names the file");
    return exportSession(client, idOf(client), format);
  },
  config: dialog({ kind: "settings" }),
  theme: (_client, rest) => {
    const theme = themes.find((one) => one === rest);
    changeUi(theme === undefined ? { dialog: { kind: "themes" } } : { theme });
  },
  "toggle-toolcall-json": () => changeUi({ raw: !ui.get().raw }),
  bug: async (client) => show("Facts for a bug report", await bugLines(hostOf(client))),
};

/** Returns the last answer, or its code block of that number. Throws if there is none. */
function textToCopy(client: Client, number: string): { readonly name: string; readonly text: string } {
  const answer = client.session()?.items.findLast((item) => item.kind === "answer");
  if (answer?.kind !== "answer") throw new Error("there is no answer to copy yet");
  if (number === "") return { name: "the last answer", text: answer.text };
  const codes = codeBlocksOf(answer.text);
  const text = /^[1-9]\d{0,4}$/.test(number) ? codes[Number(number) - 1] : undefined;
  if (text !== undefined) return { name: `code block ${number}`, text };
  throw new Error(`the last answer has ${countText(codes.length, "code block")}: /copy, /copy NUMBER`);
}

function idOf(client: Client): string {
  const id = client.session()?.id;
  if (id === undefined) throw new Error("open a session first");
  return id;
}

/** Runs a command. If it fails, tells the person and resolves to false. */
export function runCommand(client: Client, name: CommandOn<"browser">, rest = ""): Promise<boolean> {
  return client.act(() => webCommands[name](client, rest));
}
