/** `/trust`: shows or changes the trust in this folder. */
import { commandFacts, type TrustChoice } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";

const choices: readonly TrustChoice[] = ["yes", "auto", "read"];

export const trust: SlashCommand = {
  ...commandFacts.trust,
  async run(app, rest) {
    const choice = choices.find((one) => one === rest);
    if (choice === undefined && rest !== "") {
      return app.say(`expected /trust yes, auto or read, got ${rest}`, "warning");
    }
    app.say(await app.host.changeTrust(choice));
  },
};
