/** What several screens say about the slash commands, and how they read the words after a command. Loaded only where a command is used. */

export { commandLines, commandNamed, commandsOn, unknownCommand } from "../find-command.ts";
export { contextLines, contextTable, costLines, windowLines } from "./context-lines.ts";
export {
  bugLines,
  jobLine,
  jobLines,
  modelFacts,
  noJobs,
  serverLines,
  skillLines,
  statusLines,
  toolLabel,
} from "./list-lines.ts";
export {
  changeJobs,
  changeModel,
  changeName,
  changeRules,
  changeTool,
  changeTrust,
  checkInit,
  checkRedo,
  type ExportChoice,
  forgottenText,
  isWrongWords,
  modeText,
  readExport,
  readMode,
  readUndoTurns,
} from "./words-after.ts";
