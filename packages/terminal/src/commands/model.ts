/** `/model`: changes the model, chosen from a list or given by its name. */
import { commandFacts, type ModelChoice, sizeText, tokensText } from "@localharness/protocol";
import type { App, SlashCommand } from "../app.ts";
import { selectList } from "../dialogs/select-list.ts";

export const model: SlashCommand = {
  ...commandFacts.model,
  run(app, rest) {
    if (rest !== "") return change(app, rest);
    app.open(
      selectList({
        title: "Model",
        empty: "the server lists no models: name one with /model NAME",
        enter: "selects it",
        load: async () => (await app.host.listModels()).map(asRow),
        async onEnter(row, list) {
          list.tell(`checking ${row.id} …`);
          await app.host.useModel(row.id);
          list.close();
          app.say(changed(row.id));
        },
      }),
    );
  },
};

async function change(app: App, name: string): Promise<void> {
  await app.host.useModel(name);
  app.say(changed(name));
}

function changed(name: string): string {
  return `model ${name}, from the next answer on`;
}

function asRow({ name, current, contextWindow, tools, vision, sizeBytes, profile }: ModelChoice) {
  const facts = [
    current ? "in use" : "",
    contextWindow === undefined ? "" : `${tokensText(contextWindow)} window`,
    tools === undefined ? "" : tools ? "tools" : "tools as text",
    vision === true ? "sees images" : "",
    sizeBytes === undefined || sizeBytes < 1_000_000 ? "" : sizeText(sizeBytes),
    profile ?? "",
  ];
  return { id: name, label: name, about: facts.filter((fact) => fact !== "").join(" · ") };
}
