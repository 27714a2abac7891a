/** Shows and changes the trust in the folder of a chat. A change applies to the sessions that begin after it. */
import { type PermissionMode, type TrustChoice, visibleLine } from "@localharness/protocol";
import type { TrustStore } from "@localharness/store/trust/trust-file";
import { otherMode, type Trust } from "./settle-trust.ts";

export interface ChatTrust {
  /** Returns the trust for new sessions. */
  get(): Trust;
  /**
   * Returns the mode for the next session; `before` is the mode of the session before it. Returns `before`, unless the trust
   * has changed since the last call: then the mode that a setting names, or else the mode that was chosen with the trust.
   */
  nextMode(before: PermissionMode): PermissionMode;
  /**
   * If the trust is `reading`, takes trust that the person has given in another process, as with `localharness trust add`.
   */
  renew(): Promise<void>;
  /**
   * Saves a choice of the person, and returns a description of the trust. Without a choice nothing changes. Rejects with a
   * `HarnessError`, and changes nothing, if the choice cannot be saved.
   */
  change(choice?: TrustChoice): Promise<string>;
}

export interface TrustedPlace {
  readonly workspace: string;
  readonly trustStore: TrustStore;
  /** Takes the mode that the person chose for this folder. Returns the mode in which sessions begin. */
  preferMode(mode: PermissionMode): PermissionMode;
}

export const aboutTrust: Readonly<Record<Trust, string>> = {
  full: "trusted: its rules and instructions are read",
  tools: "the options of this run: its rules and instructions are not read",
  reading: "not trusted: only tools that change nothing run",
};

export function openTrust({ workspace, trustStore, preferMode }: TrustedPlace, first: Trust): ChatTrust {
  let trust = first;
  let chosen: PermissionMode | undefined;
  return {
    get: () => trust,
    nextMode(before) {
      const mode = chosen ?? before;
      chosen = undefined;
      return mode;
    },
    async renew() {
      if (trust !== "reading") return;
      const { trusted, mode = "default" } = await trustStore.find(workspace);
      if (trusted !== true) return;
      trust = "full";
      chosen = preferMode(mode);
    },
    async change(choice) {
      const folder = visibleLine(workspace);
      if (choice === undefined) {
        const { trusted } = await trustStore.find(workspace);
        const isOther = trusted !== undefined && trusted !== (trust === "full");
        const takes =
          trusted === true ? "/clear begins a session that takes it" : "/trust read applies that here";
        const since = isOther ? ` It was changed meanwhile: ${takes}.` : "";
        return `${folder} is ${aboutTrust[trust]}.${since} /trust yes | auto | read changes it`;
      }
      await trustStore.set(workspace, choice !== "read", choice === "auto" ? choice : undefined);
      trust = choice === "read" ? "reading" : "full";
      const holds = preferMode(choice === "auto" ? "auto" : "default");
      chosen = holds;
      const other = choice === "auto" ? otherMode(choice, holds) : undefined;
      const mode = choice === "read" ? "" : `, and its sessions begin in mode ${holds}`;
      const now = `${folder} is now ${aboutTrust[trust]}${mode}. This holds in sessions that begin from now on: /clear begins one; to go on with this one, leave, then localharness --continue`;
      return other === undefined ? now : `${now}. But ${other}`;
    },
  };
}
