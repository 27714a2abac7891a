/** Tells which function runs each slash command of the screen. */
import type { CommandOn } from "@localharness/protocol";
import type { CommandRun } from "../app.ts";
import { changeCommands } from "./changes.ts";
import { contextCommands } from "./context.ts";
import { copyCommand } from "./copy.ts";
import { helpCommands } from "./help.ts";
import { modelAndToolCommands } from "./model-and-tools.ts";
import { permissionCommands } from "./permissions.ts";
import { screenCommands } from "./screen.ts";
import { sessionCommands } from "./session.ts";

export const slashCommands: Readonly<Record<CommandOn<"terminal">, CommandRun>> = {
  ...helpCommands,
  ...contextCommands,
  ...modelAndToolCommands,
  ...permissionCommands,
  ...sessionCommands,
  ...changeCommands,
  ...copyCommand,
  ...screenCommands,
};
