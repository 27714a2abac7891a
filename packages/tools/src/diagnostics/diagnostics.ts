/**
 * Looks up the errors that an edit has added, with the language servers that are installed outside of the workspace. A server
 * starts at the first edit of its language, in the sandbox, in which it can write nothing in the workspace.
 */
import { extname } from "node:path";
import type { ClosedPlaces } from "@localharness/engine";
import type { Programs } from "@localharness/processes/children/programs";
import { type RunningServer, runServer } from "@localharness/processes/helpers/run-server";
import type { Sandbox } from "@localharness/processes/sandbox/sandbox";
import { secretName } from "@localharness/workspace/paths/secret-name";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import type { Diagnostics, EditContext } from "./edit-check.ts";
import { findImporters } from "./find-importers.ts";
import { LanguageClient } from "./language-client.ts";
import { type CheckedLanguage, languageOf } from "./languages.ts";
import { addedProblems, type FileProblems, problemsText } from "./problems.ts";

interface Parts {
  readonly programs: Programs;
  readonly workspace: Workspace;
  readonly sandbox: Sandbox;
}

export interface DiagnosticsOptions {
  /** The milliseconds that a result waits for errors. */
  readonly waitMs?: number;
  /** Starts a server; by default in the sandbox. */
  start?(words: readonly string[], context: EditContext, parts: StartParts): Promise<RunningServer>;
}

export interface StartParts {
  readonly signal: AbortSignal;
  onOutput(chunk: Uint8Array): void;
}

const defaultWaitMs = 2_500;
const maxFileBytes = 512 * 1024;
/** How often a server that has ended is started again. */
const maxStarts = 2;

export function createDiagnostics(parts: Parts, options: DiagnosticsOptions = {}): Diagnostics {
  const { programs, workspace } = parts;
  const { waitMs = defaultWaitMs, start = startConfined(parts) } = options;
  const running = new Map<
    string,
    { readonly client: LanguageClient; readonly starts: number; readonly name: string }
  >();

  /** Returns the server of the language, started if it is not running; undefined if there is none. */
  function serverOf({ name, servers }: CheckedLanguage, context: EditContext) {
    const known = running.get(name);
    if (known !== undefined && (!known.client.isEnded || known.starts >= maxStarts)) return known;
    for (const [program, ...args] of servers) {
      const found = programs.outside.find(program);
      if (found === undefined) continue;
      const client = new LanguageClient({
        root: workspace.root,
        start: (onOutput, signal) => start([found, ...args], context, { onOutput, signal }),
      });
      const made = { client, starts: (known?.starts ?? 0) + 1, name: program };
      running.set(name, made);
      return made;
    }
    return undefined;
  }

  return {
    begin(path, context) {
      const language = languageOf(path);
      const place = language && workspace.locate(path);
      if (language === undefined || place?.ok !== true) return undefined;
      // A server judges the workspace only.
      if (workspace.placeOf(place.value.path).added !== undefined) return undefined;
      const server = serverOf(language, context);
      // A server that has not yet judged the last edit is not waited for.
      if (server === undefined || server.client.isEnded || !server.client.isSettled()) return undefined;
      const { client, name } = server;
      const file = place.value.path;
      const put = async (one: string) => {
        const text = await textOf(workspace, one);
        if (text !== undefined) client.put(one, language.ids[extname(one)] ?? "", text);
        return text !== undefined;
      };
      const before = opened(parts, file, language, context, client, put);
      return {
        async finish() {
          const ends = AbortSignal.any([context.signal, AbortSignal.timeout(waitMs)]);
          const late = new Promise<undefined>((resolve) => {
            ends.addEventListener("abort", () => resolve(undefined), { once: true });
          });
          const check = async () => {
            const files = await before;
            await client.settled(ends);
            if (!client.isSettled() || client.isEnded) return undefined;
            const known = new Map(files.map((one) => [one, client.problemsOf(one) ?? []]));
            if (!(await put(file))) return undefined;
            await client.settled(ends);
            if (!client.isSettled() || client.isEnded) return undefined;
            const added = [file, ...files.filter((one) => one !== file)].map(
              (one): FileProblems => ({
                path: one,
                problems: addedProblems(known.get(one) ?? [], client.problemsOf(one) ?? []),
              }),
            );
            return problemsText(name, added);
          };
          return await Promise.race([check().catch(() => undefined), late]);
        },
      };
    },
    end() {
      for (const { client } of running.values()) client.end();
    },
  };
}

/** Tells the server the texts before the edit: of the file and of those that import it. Resolves to their paths. */
async function opened(
  parts: Parts,
  file: string,
  language: CheckedLanguage,
  { denies, signal }: EditContext,
  client: LanguageClient,
  put: (path: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const isThere = await put(file);
  const importers = isThere ? await findImporters(parts, file, language, signal) : [];
  const readable = importers.filter((one) => denies?.(one, "read") !== true && secretName(one) === undefined);
  const files = isThere ? [file] : [];
  for (const one of readable) if (await put(one)) files.push(one);
  client.keepOpen([file, ...files]);
  return files;
}

async function textOf(workspace: Parts["workspace"], path: string): Promise<string | undefined> {
  const opening = workspace.openFile(path);
  if (!opening.ok) return undefined;
  using file = opening.value;
  if (file.stats.size > maxFileBytes) return undefined;
  return await file.read(maxFileBytes).then(
    (bytes) => bytes.toString("utf8"),
    () => undefined,
  );
}

function startConfined(parts: Parts): NonNullable<DiagnosticsOptions["start"]> {
  return ([command = "", ...args], { closedPlaces }, { signal, onOutput }) =>
    runServer(parts, {
      ...{ command, args, signal, onOutput, environment: {}, sandboxed: true },
      onErrorOutput: () => undefined,
      places: readingOnly(closedPlaces),
    });
}

/** Returns places that close the whole workspace for writes, and for reads what rules close. */
function readingOnly(byRules: ClosedPlaces | undefined): ClosedPlaces {
  return {
    closes: (path, access) => access === "write" || byRules?.closes(path, access) === true,
    mayHold: (folder, access) => access === "read" && byRules?.mayHold(folder, access) === true,
    beginnings: byRules?.beginnings ?? [],
  };
}
