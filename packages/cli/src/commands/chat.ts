/** `localharness`, `localharness "message"`, `localharness -p`: runs a chat or answers one message. */
import { defaultLimits, usageError } from "@localharness/engine";
import { attachingMethods, attachNamed } from "@localharness/harness/attachments/attach-named";
import { chooseEarlier } from "@localharness/harness/choose-earlier";
import { type Composition, compose, runOptions } from "@localharness/harness/compose";
import { loadSettings, type Settings } from "@localharness/harness/config/settings";
import { exitCodes } from "@localharness/harness/exit-code";
import { folded } from "@localharness/harness/fold-lines";
import { listTree } from "@localharness/harness/list-tree";
import { type ModelFiles, selectModel } from "@localharness/harness/select-model";
import { tellPhases } from "@localharness/harness/tell-phases";
import { settleTrust, type Trust } from "@localharness/harness/trust/settle-trust";
import type { SelectedModel } from "@localharness/models";
import type { ImageContent } from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import { type FlagValues, type Invocation, textFlag } from "../arguments/parse.ts";
import { readMessage } from "../modes/message-input.ts";
import { personFor, statedAnswer } from "../modes/person.ts";
import { runAs } from "../modes/run-as.ts";
import type { ScreenOptions } from "../modes/screen.ts";
import { canRedraw, showPhases } from "../modes/show-phases.ts";
import { type Unattended, unattended, wantsUnattended, withMaxTurns } from "../modes/unattended.ts";
import { createTextOutput } from "../terminal/output.ts";
import { plainText } from "../terminal/plain-text.ts";
import { openFolders } from "./open-folders.ts";

export async function runChat(invocation: Invocation): Promise<number> {
  const { positionals } = invocation;
  const flags = withMaxTurns(invocation.flags);
  const oneMessage = wantsUnattended(flags);
  if (oneMessage && flags.interactive === true) {
    throw usageError(
      "--interactive cannot be combined with --print, --output, --input, --schema or --timeout: a chat has no single answer.",
    );
  }
  if (flags.image !== undefined && (!oneMessage || flags.input === "stream-json")) {
    throw usageError("--image needs -p and one message. On the screen, paste the path of an image instead.");
  }
  const settings = await loadSettings(flags);
  if (!oneMessage && (flags.interactive === true || process.stdin.isTTY === true)) {
    const options = runOptions(flags);
    const selected = await modelForChat(settings, options);
    if (selected === undefined) return exitCodes.done;
    const composition = await compose(settings, textFlag(flags, "workspace"), { ...options, selected });
    const byLine = flags.interactive === true || settings.values.screen_reader === true || !hasScreen();
    if (byLine) return chat(composition, settings, invocation);
    return screen(composition, settings, invocation);
  }
  const run = await unattended(flags);
  const message = run.driven ? positionals.join(" ") : await onlyMessage(positionals);
  const options = {
    ...runOptions(flags),
    whileLoading: tell,
    tellsOnce: run.output === "text",
    oneShot: true,
  };
  const composition = await compose(settings, textFlag(flags, "workspace"), options);
  try {
    return await answer(composition, settings, { ...invocation, flags }, message, run);
  } finally {
    await composition.close();
  }
}

/**
 * Returns the model to use; undefined if the person quits. At a terminal the person can wait for a model; without a
 * terminal it throws if there is no model.
 */
async function modelForChat(settings: Settings, files: ModelFiles): Promise<SelectedModel | undefined> {
  const environment = { ...process.env };
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) {
    return selectModel(settings, { ...files, whileLoading: tell }, environment);
  }
  const { awaitModel } = await import("../modes/await-model.ts");
  return awaitModel({ settings, files, environment });
}

async function onlyMessage(words: readonly string[]): Promise<string> {
  const message = await readMessage(words, () => tell("no input on stdin for 3 s: continuing without it"));
  if (message.trim() !== "") return message;
  throw usageError(
    'there is no message: localharness -p "message", or pipe it in. Without -p a terminal is needed.',
  );
}

async function answer(
  composition: Composition,
  settings: Settings,
  { flags, positionals }: Invocation,
  message: string,
  run: Unattended,
): Promise<number> {
  const chosen = settings.values.model === undefined && flags.replay === undefined;
  const notices = [...(chosen ? [composition.selected.reason] : []), composition.sandbox.describe()];
  const { workspace, trustStore: store, preferMode, endChildren } = composition;
  const tellLater = (text: string) => notices.push(text);
  const trust = await settleTrust({ workspace, store, flags, tell: tellLater, preferMode });
  if (trust === "leave") return exitCodes.done;
  notices.push(...(await composition.offerAgents(trust)));
  for (const notice of await composition.newNotices(notices)) tell(notice);
  const stated = statedAnswer(flags);
  // JSON output is read by a program, so no person is asked. `--answer` answers instead, or with `--input stream-json` the
  // program that sends the commands.
  const silent = run.output !== "text" && stated === undefined;
  const ask = silent ? undefined : personFor(stated, createTextOutput(process.stderr));
  const choice = await chooseEarlier(composition.sessions, flags, "all");
  if (choice.kind === "list") {
    const [word] = positionals;
    const read = word === undefined ? "" : ` ("${word}" was read as the beginning of the message)`;
    throw usageError(
      `--resume needs an id here, or --resume=NAME${read}, such as one of these:\n${choice.lines.join("\n")}`,
    );
  }
  await openFolders(composition, flags, { tell }, choice.earlier);
  const answered = ask === undefined ? "nothing" : "calls";
  const session = composition.newSession(run.driven ? "everything" : answered, trust, choice.earlier);
  const { limit, schema } = run;
  if (run.output === "text") {
    const drawn = settings.values.screen_reader !== true && canRedraw(process.stderr);
    if (!drawn) tellPhases(session, tell);
    else showPhases(session, process.stderr, process.stdout.isTTY === true && schema === undefined);
  }
  const wanted = await composition.guidance.commands(trust).expandLine(message);
  if (run.driven) {
    const { runStreamInput } = await import("../modes/stream-input.ts");
    return runStreamInput({
      session,
      message: wanted,
      canSee: () => composition.selected.canSee,
      ask,
      limit,
      endChildren,
    });
  }
  const methods = async () =>
    attachingMethods(
      composition,
      () => session,
      () => trust,
    );
  const named = await attachNamed(positionals.join(" "), methods, tell);
  const shot = {
    session,
    message: wanted,
    images: [...(await imagesOf(flags, composition)), ...named.images],
    files: named.files,
    ask,
    endChildren,
    limit,
    ...defined({ schema }),
  };
  return runAs(run.output, shot);
}

async function imagesOf(flags: FlagValues, composition: Composition): Promise<readonly ImageContent[]> {
  if (flags.image === undefined) return [];
  const { imagesForMessage } = await import("@localharness/harness/images/message-images");
  return imagesForMessage(flags.image, composition);
}

/** Returns true if stdin and stdout are terminals that can move the cursor. */
function hasScreen(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true && process.env["TERM"] !== "dumb";
}

async function screen(composition: Composition, settings: Settings, invocation: Invocation): Promise<number> {
  const { runScreen } = await import("../modes/screen.ts");
  const { selected, sandbox } = composition;
  try {
    const choice = await chooseEarlier(composition.sessions, invocation.flags, "chats");
    const earlier = choice.kind === "one" ? choice.earlier : undefined;
    return await runScreen({
      composition,
      earlier,
      settings,
      settleTrust: settleTrustOf(composition, invocation),
      openFolders: (talk) => openFolders(composition, invocation.flags, talk, earlier),
      greeting: (trust) => [
        ...(choice.kind === "one" && choice.about !== undefined ? [choice.about] : []),
        selected.reason,
        commandsRunIn(trust, sandbox),
        `${placesOf(composition)} /help lists keys and commands.`,
      ],
      firstMessage: invocation.positionals.join(" "),
      choosesEarlier: choice.kind === "list",
      answer: statedAnswer(invocation.flags),
      iterationLimit: settings.values["limits.iterations_per_turn"] ?? defaultLimits.iterationsPerTurn,
    });
  } finally {
    await composition.close();
  }
}

/** Returns a sentence with the workspace, the folders beside it, and the mode. */
function placesOf({ workspace, folders, mode }: Composition): string {
  const added = folders.list().map(({ root }) => ` and ${root}`);
  return `Workspace ${workspace}${added.join("")}, mode ${mode()}.`;
}

function commandsRunIn(trust: Trust, sandbox: Composition["sandbox"]): string {
  return trust === "reading"
    ? "Only reading: no command runs and nothing is changed. /trust changes that."
    : `Commands run in: ${sandbox.describe()}.`;
}

async function chat(composition: Composition, settings: Settings, invocation: Invocation): Promise<number> {
  const { runInteractive } = await import("../modes/interactive.ts");
  const { openTrust } = await import("@localharness/harness/trust/change-trust");
  const { selected, workspace, sandbox } = composition;
  try {
    const choice = await chooseEarlier(composition.sessions, invocation.flags, "chats");
    const earlier = choice.kind === "one" ? choice.earlier : undefined;
    return await runInteractive({
      settleTrust: settleTrustOf(composition, invocation),
      openFolders: (talk) => openFolders(composition, invocation.flags, talk, earlier),
      beginFolders: (next) => composition.folders.begin(next),
      workspace,
      newSession: (trust, earlier) => composition.newSession("everything", trust, earlier),
      sessions: composition.sessions,
      earlier,
      confined: sandbox.state.kind === "on",
      greeting: (trust) => [
        ...(choice.kind === "one" && choice.about !== undefined ? [choice.about] : []),
        plainText(selected.reason),
        plainText(commandsRunIn(trust, sandbox)),
        plainText(`${placesOf(composition)} /help lists commands, Ctrl-C interrupts.`),
        ...(choice.kind === "list" ? [...choice.lines, "/resume NUMBER continues one of these."] : []),
      ],
      firstMessage: invocation.positionals.join(" "),
      answer: statedAnswer(invocation.flags),
      listTree: () => listTree(composition),
      commands: composition.guidance.commands,
      async openMethods(trust, current) {
        const { hostMethods } = await import("@localharness/harness/host/create-host");
        return hostMethods({ composition, settings, trust }, current);
      },
      openTrust: (first) => openTrust(composition, first),
      endChildren: composition.endChildren,
    });
  } finally {
    await composition.close();
  }
}

/**
 * Returns a function that settles whether the folder is trusted, and then offers the agents that this trust permits.
 */
function settleTrustOf(composition: Composition, { flags }: Invocation): ScreenOptions["settleTrust"] {
  const { workspace, trustStore: store, preferMode } = composition;
  return async (ask, tellPerson) => {
    const trust = await settleTrust({ workspace, store, flags, ask, tell: tellPerson, preferMode });
    if (trust !== "leave") for (const warning of await composition.offerAgents(trust)) tellPerson(warning);
    return trust;
  };
}

function tell(text: string): void {
  process.stderr.write(folded(`· ${plainText(text)}\n`, process.stderr));
}
