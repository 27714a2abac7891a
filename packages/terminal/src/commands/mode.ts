/** `/mode`: shows or changes the permission mode. */
import type { PermissionMode } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";

const modes: readonly PermissionMode[] = ["default", "plan", "accept-edits", "bypass"];

export const mode: SlashCommand = {
  name: "mode",
  about: `permissions: ${modes.join(" | ")}`,
  run(app, rest) {
    const chosen = modes.find((one) => one === rest);
    if (chosen === undefined) {
      return app.say(
        `mode is ${app.mode()}; available: ${modes.join(", ")}`,
        rest === "" ? "info" : "warning",
      );
    }
    app.send({ type: "set-mode", mode: chosen });
    app.say(`mode ${chosen}`);
  },
};
