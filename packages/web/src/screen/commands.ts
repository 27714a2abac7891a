/** Runs the commands of the command table in a browser. */
import {
  commandTable,
  countText,
  permissionModes,
  readFolderChange,
  type SlashCommandName,
  visibleLine,
  visibleLines,
} from "@localharness/protocol";
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
const show = (title: string, text: string) => changeUi({ dialog: { kind: "text", title, text } });

const runs: Readonly<Partial<Record<SlashCommandName, Run>>> = {
  help: dialog({ kind: "keys" }),
  init: async (client, rest) => {
    if (client.session()?.view.mode === "plan") {
      throw new Error("mode plan changes nothing, so AGENTS.md cannot be written: choose another mode first");
    }
    await client.openIfNone();
    await client.submit({ text: await client.call("expandCustomCommand", "init", rest), images: [] });
  },
  status: async (client) => {
    const rows = await client.call("describeStatus");
    const width = Math.max(...rows.map(({ name }) => name.length));
    show("Status", rows.map(({ name, value }) => `${name.padEnd(width)}  ${visibleLine(value)}`).join("\n"));
  },
  model: (client, rest) =>
    rest === ""
      ? changeUi({ dialog: { kind: "models" } })
      : client.call("useModel", rest).then(() => client.tell(`model ${rest}, from the next answer on`)),
  tools: panel("tools"),
  permissions: panel("rules"),
  mode: async (client, rest) => {
    await client.openIfNone();
    const mode = permissionModes.find((one) => one === rest);
    if (mode === undefined) changeUi({ dialog: { kind: "modes" } });
    else await client.send({ type: "set-mode", mode });
  },
  trust: async (client, rest) => {
    const choice = (["yes", "auto", "read"] as const).find((one) => one === rest);
    show("Trust", await client.call("changeTrust", choice));
  },
  "add-dir": async (client, rest) => {
    await client.openIfNone();
    show("Folders beside the workspace", await client.call("changeFolders", readFolderChange(rest)));
  },
  tasks: panel("tasks"),
  jobs: panel("jobs"),
  mcp: panel("servers"),
  skills: async (client) => {
    await client.openIfNone();
    const { skills, problems } = await client.call("listSkills");
    const lines = skills.map(({ name, description, folder, remarks }) =>
      visibleLine(`/${name}  ${description}  (${[folder, ...remarks].join("; ")})`),
    );
    const notes = problems.map((problem) => `! ${visibleLines(problem)}`);
    show("Skills", [...(lines.length === 0 ? ["There are no skills here."] : lines), ...notes].join("\n"));
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
  diff: panel("changes"),
  undo: (client, rest) => {
    if (!/^(?:[1-9]\d{0,3})?$/.test(rest)) throw new Error("/undo takes a number of turns: /undo 3");
    return undo(client, rest === "" ? 1 : Number(rest));
  },
  redo: (client, rest) => {
    if (rest !== "") throw new Error("/redo takes no argument: it redoes one turn");
    return redo(client);
  },
  copy: async (client, rest) => {
    const { name, text } = textToCopy(client, rest);
    client.tell((await copyText(text)) ? `${name} is copied` : "the browser refused to copy");
  },
  export: (client, rest) => {
    const format = (["markdown", "json", "html"] as const).find((one) => one === (rest || "markdown"));
    if (format === undefined) throw new Error(`/export takes markdown, json or html, got "${rest}"`);
    return exportSession(client, idOf(client), format);
  },
  config: dialog({ kind: "settings" }),
  theme: (_client, rest) => {
    const theme = themes.find((one) => one === rest);
    changeUi(theme === undefined ? { dialog: { kind: "themes" } } : { theme });
  },
  "toggle-toolcall-json": () => changeUi({ raw: !ui.get().raw }),
  bug: async (client) =>
    show("Facts for a bug report; nothing is sent", await client.call("describeProgram")),
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

/**
 * The commands that a browser has, in the order of the table. A browser has no `quit`, because the person closes the
 * tab.
 */
export const webCommands = commandTable.filter(({ name }) => runs[name] !== undefined);

/** Returns the name of the command that a word names, by name or alias; undefined if a browser has no such command. */
export function commandNamed(word: string): SlashCommandName | undefined {
  return webCommands.find(({ name, aliases }) => name === word || aliases?.includes(word) === true)?.name;
}

/** Runs a command. If it fails, tells the person and resolves to false. */
export function runCommand(client: Client, name: SlashCommandName, rest = ""): Promise<boolean> {
  return client.act(() => runs[name]?.(client, rest));
}
