/**
 * Creates the `Hub` of a server. Each open session has a separate composition, so that the choice of model and tools, the
 * jobs and the context window of one session change no other.
 */
import { defaultLimits, usageError } from "@localharness/engine";
import type { Hub } from "@localharness/protocol";
import { version } from "../compose/version.ts";
import type { Settings } from "../config/settings.ts";
import { sessionsToOffer } from "../host/session-choices.ts";
import { createRooms, type HubParts, kept } from "./rooms.ts";

export interface OpenedHub {
  readonly hub: Hub;
  /** Closes all rooms and the base composition. */
  close(): Promise<void>;
}

export function openHub(settings: Settings, parts: HubParts): OpenedHub {
  const { base } = parts;
  const rooms = createRooms(parts, () => hub);
  const hub: Hub = {
    facts: {
      version,
      workspace: base.workspace,
      get trusted() {
        return rooms.trust() !== "reading";
      },
      sandbox: base.sandbox.describe(),
      confined: base.sandbox.state.kind === "on",
      iterationLimit: settings.values["limits.iterations_per_turn"] ?? defaultLimits.iterationsPerTurn,
    },
    open: rooms.open,
    find: rooms.find,
    close: rooms.close,
    async listSessions(words, signal) {
      return sessionsToOffer(await kept(base).listSessions(words, signal), words);
    },
    renameSession: async (id, name) => kept(base).renameSession(id, name),
    async deleteSession(id) {
      if (rooms.has(id)) throw usageError("this session is open: close it before you delete it");
      await kept(base).deleteSession(id);
    },
    exportText: async (id, format) => kept(base).exportText(id, format),
    listFiles: async (limit, signal) => (await base.listFiles(limit, signal)).paths.toSorted(),
  };
  return {
    hub,
    async close() {
      try {
        await rooms.closeAll();
      } finally {
        await base.close();
      }
    },
  };
}
