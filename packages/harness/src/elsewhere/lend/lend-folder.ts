/** Lends a folder: serves each borrower's connections, and keeps the calls of each borrower from running twice. */
import type { IncomingMessage } from "node:http";
import { createRunLock } from "@localharness/engine";
import { type Frames, serveOverFrames } from "@localharness/mcp/server";
import { reasonOf } from "@localharness/protocol";
import { type CallLog, callLogPath, openCallLog } from "@localharness/store/lent/call-log";
import { type Borrower, hashToken } from "@localharness/store/lent/machines";
import { ownFolder } from "../../compose/open-resources.ts";
import { version } from "../../compose/version.ts";
import type { Workbench } from "../../compose/workbench.ts";
import type { Settings } from "../../config/settings.ts";
import type { Trust } from "../../permission/trust/settle-trust.ts";
import { openDesk } from "../serve/open-desk.ts";
import { offerLent } from "./lend-offer.ts";
import { sameText } from "./pairing.ts";
import { createRunOnce, type RunOnce } from "./run-once.ts";

export interface LendParts {
  readonly bench: Workbench;
  readonly settings: Settings;
  readonly trust: Trust;
  /** Shows the owner a message. */
  tell(text: string): void;
}

export interface Lending {
  /** Serves one connection of a borrower until it ends. Rejects if the log of the borrower's calls cannot be opened. */
  serve(borrower: string, frames: Frames): Promise<void>;
  /** Cuts the connections of all borrowers that `stays` rejects. */
  cutUnless(stays: (borrower: string) => boolean): void;
  /** Ends all calls, and resolves when their results are recorded. */
  close(): Promise<void>;
}

interface Served {
  readonly log: CallLog;
  readonly once: RunOnce;
  readonly offer: ReturnType<typeof offerLent>;
}

/** The close code of the WebSocket of a borrower whose token was revoked. */
const revokedCode = 4401;

export function lendFolder({ bench, settings, trust, tell }: LendParts): Lending {
  const runLock = createRunLock();
  const borrowers = new Map<string, Promise<Served>>();
  const connections = new Set<{ readonly borrower: string; readonly frames: Frames }>();

  async function openFor(borrower: string): Promise<Served> {
    const log = await openCallLog(callLogPath(ownFolder(), bench.workspace, borrower), bench.journal);
    const once = createRunOnce(log);
    const notice = ({ message }: { readonly message: string }) => tell(message);
    const offer = offerLent({
      bench,
      borrower,
      once,
      commands: async () => {
        const { commands } = await bench.guidance.commands(trust).list();
        return commands.filter(({ origin, template }) => origin === "project" && template !== "");
      },
      openDesk: (sessionId) => openDesk({ bench, settings, trust, sessionId, runLock, notice }),
    });
    return { log, once, offer };
  }

  /** Opens the log of the borrower's calls once. If that fails, the next connection tries it again. */
  function servedFor(borrower: string): Promise<Served> {
    const known = borrowers.get(borrower);
    if (known !== undefined) return known;
    const opening = openFor(borrower);
    borrowers.set(borrower, opening);
    opening.catch(() => borrowers.delete(borrower));
    return opening;
  }

  return {
    async serve(borrower, frames) {
      const { offer } = await servedFor(borrower);
      const connection = { borrower, frames };
      connections.add(connection);
      tell(`${borrower} is connected`);
      await new Promise<void>((resolve) =>
        serveOverFrames(offer, frames, {
          version,
          onError: (error) => tell(`${borrower}: ${reasonOf(error)}`),
          onClosed(reason) {
            tell(`${borrower} has left (${reason})`);
            resolve();
          },
        }),
      );
      connections.delete(connection);
    },
    cutUnless(stays) {
      for (const { borrower, frames } of connections) {
        if (!stays(borrower)) frames.close(revokedCode, "the permission was revoked");
      }
    },
    async close() {
      for (const opening of borrowers.values()) {
        const served = await opening.catch(() => undefined);
        if (served === undefined) continue;
        const { once, log } = served;
        await once.close();
        log.close();
      }
    },
  };
}

/**
 * Returns the name of the borrower of `folder` whose token the request has; undefined if there is none. Compares with the
 * token of every borrower of the folder, in constant time.
 */
export function borrowerOf(
  { headers }: IncomingMessage,
  borrowers: readonly Borrower[],
  folder: string,
): string | undefined {
  const [, token] = /^Bearer ([\w-]{20,100})$/.exec(headers.authorization ?? "") ?? [];
  if (token === undefined) return undefined;
  const hash = hashToken(token);
  const mine = borrowers.filter((one) => one.folder === folder);
  return mine.filter((one) => sameText(one.tokenHash, hash)).at(0)?.name;
}
