/** Offers a lent folder to one borrower: calls that run at most once, files, and the undo of the borrower's sessions. */
import { createHash } from "node:crypto";
import type { CallDesk } from "@localharness/engine";
import type { Offer } from "@localharness/mcp/server";
import type { JsonObject, JsonValue } from "@localharness/protocol";
import { readBranch } from "@localharness/workspace/git-files/checked-out";
import { version } from "../../compose/version.ts";
import type { Workbench } from "../../compose/workbench.ts";
import type { CommandFile } from "../../prompt/custom-commands/command-file.ts";
import { offerWorkspace } from "../serve/offer-workspace.ts";
import type { RunOnce } from "./run-once.ts";
import { sessionTools } from "./session-tools.ts";

export interface LentParts {
  readonly bench: Workbench;
  /** The name of the borrower. */
  readonly borrower: string;
  readonly once: RunOnce;
  /** Returns the custom commands of the folder; none if it is not trusted. */
  commands(): Promise<readonly CommandFile[]>;
  /** Opens the desk of a session. */
  openDesk(sessionId: string): CallDesk;
}

/** The maximum number of sessions of a borrower whose answers are kept. Calls of an older session ask again. */
const maxDesks = 20;

export function offerLent({ bench, borrower, once, commands, openDesk }: LentParts): Offer {
  const desks = new Map<string, CallDesk>();
  /** Returns the desk of a session. Its id depends on the borrower, so that a borrower cannot reach sessions of others. */
  const deskOf = (session: string): CallDesk => {
    const id = `lent-${createHash("sha256").update(`${borrower}\0${session}`).digest("hex").slice(0, 24)}`;
    const desk = desks.get(id) ?? openDesk(id);
    desks.delete(id);
    desks.set(id, desk);
    const [oldest] = desks.keys();
    if (desks.size > maxDesks && oldest !== undefined) desks.delete(oldest);
    return desk;
  };
  const offer = offerWorkspace(bench, deskOf(""));
  const undoOf = async ({ session }: JsonObject) => ({
    undo: await bench.undo.open(),
    id: deskOf(String(session)).sessionId,
  });
  return {
    ...offer,
    tools: () => offer.tools().filter(({ name }) => !sessionTools.includes(name)),
    call(name, args, access) {
      const { call: mark } = access;
      if (mark === undefined) return offer.call(name, args, access);
      const desk = deskOf(mark.session);
      const readOnly = desk.registry.find(name)?.tool.readOnly === true;
      return once.run({ mark, name, arguments: args, readOnly }, access, (lasting) =>
        offerWorkspace(bench, desk).call(name, args, lasting),
      );
    },
    extras: {
      "localharness/hello": async () => describe(bench),
      "localharness/commands": async () => ({
        commands: (await commands()).map(({ name, about, template, argumentHint = "" }) => ({
          ...{ name, about, template, argumentHint },
        })),
      }),
      "localharness/job": async ({ job }) => {
        const found = bench.jobs.list().find(({ id }) => id === job);
        return { ended: found === undefined ? "" : (found.ended ?? null) };
      },
      "localharness/stop": async ({ id }) => {
        once.stop(String(id));
        return {};
      },
      async "localharness/undo"(params) {
        const { undo, id } = await undoOf(params);
        return asObject(await undo.undo(id, countOf(params["turns"])));
      },
      async "localharness/redo"(params) {
        const { undo, id } = await undoOf(params);
        return asObject(await undo.redo(id));
      },
      async "localharness/changes"(params) {
        const { undo, id } = await undoOf(params);
        return asObject(await undo.changes(id));
      },
      "localharness/news": async ({ session }) => ({
        news: [...(await bench.undo.news(deskOf(String(session)).sessionId))],
      }),
    },
  };
}

function describe(bench: Workbench): JsonObject {
  return {
    root: bench.workspace,
    version,
    sandbox: bench.sandbox.describe(),
    confined: bench.sandbox.state.kind === "on",
    mode: bench.mode(),
    branch: readBranch(bench.workspace) ?? "",
  };
}

function countOf(turns: JsonValue | undefined): number {
  return typeof turns === "number" && Number.isInteger(turns) && turns >= 1 ? turns : 1;
}

function asObject(value: object): JsonObject {
  return value as JsonObject;
}
