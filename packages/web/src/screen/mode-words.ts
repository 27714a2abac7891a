/** The words for the permission modes. */
import type { PermissionMode } from "@localharness/protocol";

export const modeLabels: Readonly<Record<PermissionMode, { readonly name: string; readonly about: string }>> =
  {
    default: { name: "default", about: "asks before it changes or runs anything" },
    plan: { name: "plan", about: "only reads, then presents a plan for your approval" },
    "accept-edits": {
      name: "accept-edits",
      about: "changes files of the workspace without asking; asks before commands",
    },
    auto: {
      name: "auto",
      about: "works without asking inside the sandbox; asks before what leads out of it",
    },
    bypass: { name: "bypass", about: "never asks: every call runs. Only for a machine that you can lose" },
  };

/** The modes that Alt+M goes through, in order. */
export const modeCycle: readonly PermissionMode[] = ["default", "accept-edits", "auto", "plan"];
