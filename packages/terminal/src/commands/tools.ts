/** `/tools`: lists the tools and switches them on or off. */
import { commandFacts, isToolScope, toolScopeText } from "@localharness/protocol";
import type { App, SlashCommand } from "../app.ts";
import { selectList } from "../dialogs/select-list.ts";

export const tools: SlashCommand = {
  ...commandFacts.tools,
  run(app, rest) {
    if (rest !== "") return switchByName(app, rest);
    app.open(
      selectList({
        title: "Tools, from the next message on",
        empty: "there are no tools",
        enter: "switches it",
        load: async () =>
          (await app.host.listTools()).map(({ name, about, risk, on, blocked }) => ({
            id: name,
            label: `${blocked === undefined ? (on ? "[x]" : "[ ]") : "[-]"} ${name}`,
            about: blocked ?? `${risk} · ${about}`,
          })),
        async onEnter(row, list) {
          const tool = (await app.host.listTools()).find(({ name }) => name === row.id);
          try {
            await app.host.switchTool(row.id, tool?.on !== true);
          } finally {
            await list.reload();
          }
        },
      }),
    );
  },
};

async function switchByName(app: App, rest: string): Promise<void> {
  const [name = "", state = "", scope = "kept"] = rest.split(/\s+/);
  if ((state !== "on" && state !== "off") || !isToolScope(scope)) {
    return app.say("usage: /tools NAME on|off [session]", "warning");
  }
  await app.host.switchTool(name, state === "on", scope);
  app.say(`${name} is ${state} from the next message on, ${toolScopeText(scope)}`);
}
