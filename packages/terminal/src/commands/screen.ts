/** Commands about the screen and the settings: `/config`, `/theme`, `/toggle-toolcall-json`. */
import { type ThemeName, themeNames } from "@localharness/protocol";
import type { App, CommandRuns } from "../app.ts";
import { selectList } from "../dialogs/select-list.ts";
import { settingsEditor } from "../dialogs/settings-editor.ts";
import { aboutThemes, chooseTheme, isThemeName } from "../theme/choose-theme.ts";

export const screenCommands = {
  config(app) {
    app.open(
      settingsEditor((key, value) => {
        if (key !== "theme") return;
        app.setTheme(chooseTheme(value !== undefined && isThemeName(value) ? value : "terminal"));
      }),
      "full",
    );
  },
  theme(app, rest) {
    if (rest === "") return previewThemes(app);
    if (isThemeName(rest)) return keep(app, rest);
    app.say(`there is no theme "${rest}"; choose one of ${themeNames.join(", ")}`, "warning");
  },
  "toggle-toolcall-json"(app) {
    app.setRawCalls(!app.rawCalls());
    app.say(
      app.rawCalls()
        ? "tool calls are shown as JSON from now on, and with Ctrl+O"
        : "tool calls are shown as lines again",
    );
  },
} satisfies CommandRuns;

function previewThemes(app: App): void {
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
}

async function keep(app: App, name: ThemeName): Promise<void> {
  app.setTheme(chooseTheme(name));
  const problem = await app.host.changeSetting("theme", name);
  if (problem === undefined) app.say(`theme ${name}`);
  else app.say(`theme ${name} for now; it could not be saved: ${problem}`, "warning");
}
