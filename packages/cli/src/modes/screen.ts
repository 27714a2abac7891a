/** Runs the chat on the whole screen. Before the screen opens, asks line by line whether the folder is trusted. */
import type { Composition } from "@localharness/harness/compose";
import type { Settings } from "@localharness/harness/config/settings";
import { exitCodes } from "@localharness/harness/exit-code";
import { sayHowToComeBack } from "@localharness/harness/host/come-back";
import { createHost } from "@localharness/harness/host/create-host";
import { linkSession } from "@localharness/harness/host/session-link";
import { openTrust } from "@localharness/harness/trust/change-trust";
import type { Trust, TrustAnswer } from "@localharness/harness/trust/settle-trust";
import type { Host, PermissionAnswer } from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import type { EarlierSession } from "@localharness/store/sessions/kept-sessions";
import { chooseTheme, runTerminal } from "@localharness/terminal";
import type { FolderTalk } from "../commands/open-folders.ts";
import { askFolder } from "../terminal/ask-folder.ts";
import { askTrust } from "../terminal/ask-trust.ts";
import { type LineSource, openLines } from "../terminal/lines.ts";
import { createTextOutput, type TextOutput } from "../terminal/output.ts";
import { answerRequests } from "./answer-requests.ts";
import { watchInterrupts } from "./interrupts.ts";

export interface ScreenOptions {
  readonly composition: Composition;
  readonly settings: Settings;
  settleTrust(ask: () => Promise<TrustAnswer>, tell: (text: string) => void): Promise<Trust | "leave">;
  /** Opens the folders of `--add-dir` and those of the session to continue. Rejects if one cannot be added. */
  openFolders(talk: FolderTalk): Promise<void>;
  /** The session to continue; undefined to start a new session. */
  readonly earlier: EarlierSession | undefined;
  greeting(trust: Trust): readonly string[];
  readonly firstMessage: string;
  /** True if the screen opens with the list of earlier sessions. */
  readonly choosesEarlier: boolean;
  readonly answer: PermissionAnswer | undefined;
  readonly iterationLimit: number;
}

/** The milliseconds that closing the session may take after the person has left. */
const closingMs = 1_500;

/** Runs the screen to its end and returns the exit code. */
export async function runScreen(options: ScreenOptions): Promise<number> {
  const { composition, answer } = options;
  const warnings: string[] = [];
  const trust = await settle(options, (text) => warnings.push(text));
  if (trust === "leave") return exitCodes.done;
  await options.openFolders({
    ask: (root) => withLines((output, lines) => askFolder(root, output, lines)),
    tell: (text) => warnings.push(text),
  });
  const opened = createHost({
    composition,
    settings: options.settings,
    trust: openTrust(composition, trust),
    ...defined({ earlier: options.earlier }),
  });
  const watch = () => {
    if (answer !== undefined) answerRequests(opened.session(), async () => ({ answer }));
  };
  watch();
  const open: Host["open"] = async (which) => {
    const link = await opened.host.open(which);
    watch();
    return link;
  };
  const end = await runTerminal({
    link: linkSession(opened.session(), options.earlier?.events),
    host: { ...opened.host, open },
    facts: {
      sandbox: await opened.host.readSandbox(),
      iterationLimit: options.iterationLimit,
      editorKeys: options.settings.values.editor_keys ?? "default",
    },
    greeting: options.greeting(trust),
    warnings,
    firstMessage: options.firstMessage,
    ...(options.choosesEarlier ? { firstCommand: "/resume" } : {}),
    settings: options.settings.values,
    theme: chooseTheme(options.settings.values.theme ?? "terminal"),
  });
  if (end === "left") {
    await sayHowToComeBack(opened.session(), composition.sessions, await opened.host.listJobs());
  }
  const closed = Promise.all([opened.session().close(), composition.endChildren()]);
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, closingMs).unref())]);
  return end === "left" ? exitCodes.done : exitCodes.interrupted;
}

async function settle(
  { composition, settleTrust }: ScreenOptions,
  tell: (text: string) => void,
): Promise<Trust | "leave"> {
  const { workspace, sandbox } = composition;
  const place = { workspace, confined: sandbox.state.kind === "on" };
  return settleTrust(() => withLines((output, lines) => askTrust(place, output, lines)), tell);
}

/** Asks the person line by line, before the screen opens. */
async function withLines<T>(ask: (output: TextOutput, lines: LineSource) => Promise<T>): Promise<T> {
  const onInterrupt = () => lines.close();
  const lines = openLines({ input: process.stdin, output: process.stdout, onInterrupt });
  const asking = watchInterrupts(onInterrupt);
  try {
    return await ask(createTextOutput(process.stdout), lines);
  } finally {
    asking.stop();
    lines.close();
  }
}
