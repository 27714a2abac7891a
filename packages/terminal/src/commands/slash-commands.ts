/** Lists the slash commands in the order that `/help` shows; each is defined in a file of this folder. */
import type { SlashCommand } from "../app.ts";
import { addDir } from "./add-dir.ts";
import { bug } from "./bug.ts";
import { clear } from "./clear.ts";
import { compact } from "./compact.ts";
import { config } from "./config.ts";
import { context } from "./context.ts";
import { copy } from "./copy.ts";
import { cost } from "./cost.ts";
import { diff } from "./diff.ts";
import { exportSession } from "./export.ts";
import { fork } from "./fork.ts";
import { help } from "./help.ts";
import { init } from "./init.ts";
import { jobs } from "./jobs.ts";
import { mcp } from "./mcp.ts";
import { mode } from "./mode.ts";
import { model } from "./model.ts";
import { permissions } from "./permissions.ts";
import { quit } from "./quit.ts";
import { rename } from "./rename.ts";
import { resume } from "./resume.ts";
import { skills } from "./skills.ts";
import { status } from "./status.ts";
import { tasks } from "./tasks.ts";
import { theme } from "./theme.ts";
import { toggleToolcallJson } from "./toggle-toolcall-json.ts";
import { tools } from "./tools.ts";
import { tree } from "./tree.ts";
import { trust } from "./trust.ts";
import { redo, undo } from "./undo.ts";

export const slashCommands: readonly SlashCommand[] = [
  help,
  init,
  status,
  model,
  tools,
  permissions,
  mode,
  trust,
  addDir,
  tasks,
  jobs,
  mcp,
  skills,
  context,
  compact,
  cost,
  clear,
  resume,
  rename,
  fork,
  tree,
  diff,
  undo,
  redo,
  copy,
  exportSession,
  config,
  theme,
  toggleToolcallJson,
  bug,
  quit,
];
