import type { SlashCommand } from "../app.ts";
import { showOther } from "./while-resting.ts";

export const clear: SlashCommand = {
  name: "clear",
  aliases: ["new"],
  about: "a fresh conversation",
  async run(app) {
    if (await showOther(app, { kind: "new" })) app.say("a fresh conversation");
  },
};
