/** The table of slash commands: one file each. */
import type { SlashCommand } from "../app.ts";
import { clear } from "./clear.ts";
import { help } from "./help.ts";
import { mode } from "./mode.ts";
import { quit } from "./quit.ts";

export const slashCommands: readonly SlashCommand[] = [help, mode, clear, quit];
