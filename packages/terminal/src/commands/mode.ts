/** `/mode`: shows or changes the permission mode. */
import { commandFacts, permissionModes } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";

export const mode: SlashCommand = {
  ...commandFacts.mode,
  run(app, rest) {
    const chosen = permissionModes.find((one) => one === rest);
    if (chosen === undefined) {
      const now = `mode is ${app.mode()}; available: ${permissionModes.join(", ")}`;
      return rest === "" ? app.say(now) : app.say(`there is no mode ${rest}: ${now}`, "warning");
    }
    app.send({ type: "set-mode", mode: chosen });
    const waits =
      app.view().permission === undefined ? "" : ", from the next call on; this question is still yours";
    app.say(`mode ${chosen}${waits}`);
  },
};
