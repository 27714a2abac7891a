/** `/theme`: previews and changes the colours. */
import { commandFacts, type ThemeName, themeNames } from "@localharness/protocol";
import type { App, SlashCommand } from "../app.ts";
import { selectList } from "../dialogs/select-list.ts";
import { aboutThemes, chooseTheme, isThemeName } from "../theme/choose-theme.ts";

export const theme: SlashCommand = {
  ...commandFacts.theme,
  about: `colours: ${themeNames.join(" | ")}`,
  run(app, rest) {
    if (rest !== "") {
      if (isThemeName(rest)) return keep(app, rest);
      return app.say(`there is no theme "${rest}"; choose one of ${themeNames.join(", ")}`, "warning");
    }
    const before = app.theme();
    app.open(
      selectList({
        title: "Theme",
        empty: "",
        enter: "keeps it",
        start: before.name,
        load: async () => themeNames.map((name) => ({ id: name, label: name, about: aboutThemes[name] })),
        onMove(row) {
          if (isThemeName(row.id)) app.setTheme(chooseTheme(row.id));
        },
        onLeave: () => app.setTheme(before),
        async onEnter(row, list) {
          list.close();
          if (isThemeName(row.id)) await keep(app, row.id);
        },
      }),
    );
  },
};

async function keep(app: App, name: ThemeName): Promise<void> {
  app.setTheme(chooseTheme(name));
  const problem = await app.host.changeSetting("theme", name);
  if (problem === undefined) app.say(`theme ${name}`);
  else app.say(`theme ${name} for now; it could not be saved: ${problem}`, "warning");
}
