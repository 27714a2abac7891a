/**
 * Opens a workbench for a folder of another machine. The tools, the rules, the sandbox and the undo of the folder are on
 * that machine. The model, the keys, the session and what belongs to the person are on this one.
 */
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createRegistry, type PolicyRule, type Tool, usageError } from "@localharness/engine";
import { type Link, openLinkTo } from "@localharness/mcp/elsewhere";
import { isJsonObject, type JsonObject, reasonOf } from "@localharness/protocol";
import type { Undo } from "@localharness/store/undo/undo-changes";
import { toolSet } from "@localharness/tools";
import type { Guidance } from "../compose/guidance.ts";
import { ownFolder } from "../compose/open-resources.ts";
import { version } from "../compose/version.ts";
import { openWorkbench, type Workbench, type WorkbenchParts } from "../compose/workbench.ts";
import { defaultTools } from "../config/fields.ts";
import type { Settings } from "../config/settings.ts";
import { chosenTools, graphToolNames } from "../graph/offer-graph.ts";
import { noFolders } from "../permission/folders/session-folders.ts";
import { withRunRules } from "../permission/run-rules/run-rules.ts";
import { workspaceLine } from "../prompt/system-prompt.ts";
import { withCommandsThere } from "./commands-there.ts";
import { connectTo } from "./connect.ts";
import type { PlaceElsewhere } from "./find-place.ts";
import { createJobFollower } from "./follow-jobs.ts";
import { instructionsThere } from "./instructions-there.ts";
import { sessionTools } from "./lend/session-tools.ts";
import { callThere, lentTool } from "./lent-tool.ts";

/** The time for which the program tries to restore a broken connection, in milliseconds. */
const patienceMs = 60_000;

interface Hello {
  readonly root: string;
  readonly sandbox: string;
  readonly confined: boolean;
  readonly mode: string;
  readonly branch: string;
}

/**
 * Connects to the other machine and returns the workbench. Rejects with a `HarnessError` if the machine cannot be reached,
 * or if there are rules of `--allow`. Rejects also like `openWorkbench`.
 */
export async function openElsewhere(
  settings: Settings,
  place: PlaceElsewhere,
  { allowed = [], ...parts }: WorkbenchParts,
): Promise<Workbench> {
  if (allowed.length > 0) {
    throw usageError("--allow does not apply to a workspace elsewhere: give it to localharness lend there");
  }
  const base = await openWorkbench(settings, emptyFolder(place), "all", parts);
  let tell: (text: string) => void = () => undefined;
  try {
    const link = await openLinkTo({
      name: place.name,
      version,
      connect: connectTo(place, base.doors),
      tell: (text) => tell(text),
      patienceMs,
    });
    const hello = readHello(await link.look("localharness/hello", {}));
    const follow = (listener: (text: string) => void) => {
      tell = listener;
    };
    return elsewhere(settings, base, { link, hello, name: place.name, follow });
  } catch (error) {
    await base.close();
    throw usageError(`the workspace ${place.name} cannot be opened: ${reasonOf(error)}`, error);
  }
}

/**
 * Creates an empty folder of this machine and returns its path. Code that needs a local folder gets it in place of
 * the workspace.
 */
function emptyFolder(place: PlaceElsewhere): string {
  const name = createHash("sha256")
    .update(JSON.stringify({ ...place, token: "" }))
    .digest("hex")
    .slice(0, 16);
  const path = join(ownFolder(), "elsewhere", name);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

function readHello({ root, sandbox, confined, mode, branch }: JsonObject): Hello {
  const text = (value: unknown) => (typeof value === "string" ? value.slice(0, 4_000) : "");
  return {
    root: text(root),
    sandbox: text(sandbox),
    confined: confined === true,
    mode: text(mode),
    branch: text(branch),
  };
}

interface Away {
  readonly link: Link;
  readonly hello: Hello;
  readonly name: string;
  follow(listener: (text: string) => void): void;
}

function elsewhere(settings: Settings, base: Workbench, { link, hello, name, follow }: Away): Workbench {
  let tellPerson: (text: string) => void = () => undefined;
  const jobs = createJobFollower(link, name, (text) => tellPerson(text));
  const from = { link, name, jobs, cut: (text: string) => base.doors.cut(text) };
  const own = base.allTools.list().filter((tool) => sessionTools.includes(tool.name));
  const lent = link.tools().filter((tool) => own.every((one) => one.name !== tool.name));
  const tools = [...lent.map((tool) => lentTool(tool, from)), ...own];
  const names = lent.map((tool) => tool.name);
  const policyStore = withRunRules(base.policyStore, [ruleFor(name, names)]);
  return {
    ...base,
    workspace: `${name}:${hello.root}`,
    registry: createRegistry(choose(base, tools, settings)),
    allTools: createRegistry(tools),
    policyStore,
    trustedPolicyStore: policyStore,
    trustStore: { ...base.trustStore, find: async () => ({ trusted: true }) },
    sandbox: {
      ...base.sandbox,
      state: hello.confined ? { kind: "on", summary: hello.sandbox } : { kind: "off" },
      describe: () => `${name} decides, in mode ${hello.mode}; commands there: ${hello.sandbox}`,
    },
    folders: noFolders(`a folder cannot be added to a workspace elsewhere: ${name} lends one folder`),
    freedoms: () => ({}),
    followLink(listener) {
      tellPerson = listener;
      follow(listener);
    },
    readBranch: () => describeLink(link, name),
    async listFiles(most, signal) {
      const paths = await listThere(link, most, signal);
      return { paths, complete: paths.length < most };
    },
    async runCommand({ command }, signal, report) {
      const end = await callThere("bash", { command }, { signal, report }, from);
      if (end.kind !== "result") return { exitCode: undefined, output: `${name}: ${end.reason}` };
      const { success, data, error_message: message } = end.result;
      const asked = end.unasked
        ? `${name} asks about this command: allow it there, or let the model run it`
        : undefined;
      return { exitCode: success ? 0 : 1, output: success ? (data ?? "") : (asked ?? message ?? "") };
    },
    runInTerminal: () => {
      const message = `a command in the terminal does not reach ${name}: ! without the terminal runs it there`;
      return Promise.reject(usageError(message));
    },
    undo: undoThere(link),
    guidance: guidanceFor(base, link, hello, name),
    async close() {
      jobs.close();
      link.close();
      await base.close();
    },
  };
}

/** Returns the rule by which calls of lent tools ask nothing here. Rules that deny or ask, and mode plan, still hold. */
function ruleFor(name: string, tool: readonly string[]): PolicyRule {
  return {
    id: "elsewhere",
    decision: "allow",
    tool,
    justification: `${name}, which has the files, decides about this call`,
    origin: "session",
  };
}

/** Returns those of `tools` that the settings choose. Tools of a set that are not lent are left out. */
function choose(base: Workbench, tools: readonly Tool[], { values }: Settings): Tool[] {
  const choice = values.tools ?? defaultTools;
  if (typeof choice !== "string" || choice === "all") return chosenTools(tools, choice);
  const names = new Set([
    ...toolSet(base.allTools.list(), choice).map((tool) => tool.name),
    ...graphToolNames,
  ]);
  return tools.filter((tool) => names.has(tool.name));
}

async function describeLink(link: Link, name: string): Promise<string> {
  const { branch } = readHello(await link.look("localharness/hello", {}));
  const latency = link.latency();
  const delay = latency === undefined ? "" : ` ${latency.toFixed(latency < 10 ? 1 : 0)} ms`;
  return `${branch === "" ? "" : `${branch} · `}${name}${delay}`;
}

async function listThere(link: Link, most: number, signal: AbortSignal): Promise<readonly string[]> {
  const paths: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await link.look("resources/list", cursor === undefined ? {} : { cursor });
    const { resources, nextCursor } = page;
    for (const one of Array.isArray(resources) ? resources : []) {
      if (isJsonObject(one) && typeof one["name"] === "string") paths.push(one["name"]);
    }
    cursor = typeof nextCursor === "string" ? nextCursor : undefined;
  } while (cursor !== undefined && paths.length < most && !signal.aborted);
  return paths.slice(0, most);
}

function undoThere(link: Link): Workbench["undo"] {
  const ask = async <T>(method: string, params: JsonObject) => {
    const { _meta, ...answer } = await link.request(`localharness/${method}`, params);
    return answer as unknown as T;
  };
  const news = async (session: string) => {
    const answer = await link.look("localharness/news", { session }).catch((): JsonObject => ({}));
    return Array.isArray(answer["news"]) ? answer["news"].map(String) : [];
  };
  const undo: Undo = {
    undo: (session, turns = 1) => ask("undo", { session, turns }),
    redo: (session) => ask("redo", { session }),
    // The other side undoes by number only, so that no turn is listed here.
    preview: async () => [],
    undoTurns: async () => ({ lines: ["/undo N undoes the changes of turns there"], changed: 0 }),
    changes: (session) => ask("changes", { session }),
    news,
    findSession: async () => undefined,
  };
  return { open: async () => undo, news };
}

function guidanceFor({ guidance, files }: Workbench, link: Link, { root }: Hello, name: string): Guidance {
  const here = workspaceLine(files.root);
  const there = `\nWorkspace: ${root} on the machine ${name}, where the tools work.\n`;
  return {
    ...guidance,
    commands: (trust) => withCommandsThere(guidance.commands(trust), link),
    async prompt(trust, news) {
      const prompt = await guidance.prompt(trust, news, await instructionsThere(link, root));
      return { ...prompt, text: prompt.text.replace(here, () => there) };
    },
  };
}
