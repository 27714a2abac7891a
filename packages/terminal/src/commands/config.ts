/** `/config`: opens the settings editor and applies a changed theme at once. */
import { commandFacts } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";
import { settingsEditor } from "../dialogs/settings-editor.ts";
import { chooseTheme, isThemeName } from "../theme/choose-theme.ts";

export const config: SlashCommand = {
  ...commandFacts.config,
  run(app) {
    app.open(
      settingsEditor((key, value) => {
        if (key !== "theme") return;
        app.setTheme(chooseTheme(value !== undefined && isThemeName(value) ? value : "terminal"));
      }),
      "full",
    );
  },
};
