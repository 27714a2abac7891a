/** `/mode`: shows or changes the permission mode. */
import { permissionModes } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";

export const mode: SlashCommand = {
  name: "mode",
  about: `permissions: ${permissionModes.join(" | ")}`,
  run(app, rest) {
    const chosen = permissionModes.find((one) => one === rest);
    if (chosen === undefined) {
      return app.say(
        `mode is ${app.mode()}; available: ${permissionModes.join(", ")}`,
        rest === "" ? "info" : "warning",
      );
    }
    app.send({ type: "set-mode", mode: chosen });
    app.say(`mode ${chosen}`);
  },
};
