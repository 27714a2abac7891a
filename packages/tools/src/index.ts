/** Exports the built-in tools and the modules that confine their access to files and processes. */

export { notAFile } from "./answers/file-marks.ts";
export { type ProgramScope, programScope } from "./answers/program-scope.ts";
export {
  appendLines,
  type ChangeRecord,
  changeLog,
  forgetChanges,
  keepContent,
  keptContent,
  type MissedRecord,
  sessionChanges,
  workspaceChanges,
  workspaceName,
} from "./changes/change-folder.ts";
export { defaultChangeLimits } from "./changes/default-change-limits.ts";
export { modeOf, type PathState, sameState } from "./changes/path-state.ts";
export { putState, type Restoring, stateAt } from "./changes/put-state.ts";
export { type ChangeLimits, whySecret } from "./changes/record-changes.ts";
export { cutResult } from "./cut-result.ts";
export { createDiagnostics } from "./diagnostics/diagnostics.ts";
export { decodeText } from "./files/decode-text.ts";
export { pathAlike } from "./files/path-alike.ts";
export { type PersonsFile, readPersonsFile } from "./files/persons-file.ts";
export { openPlain, readPlain, readPlainText, requirePlain, withoutWaiting } from "./files/plain-file.ts";
export type { ReadLedger } from "./files/read-ledger.ts";
export { FileChangedError, type ReplaceOptions, replaceFile } from "./files/replace-file.ts";
export { unifiedDiff } from "./files/unified-diff.ts";
export { createWriteJournal, sweepTemporaryFiles, type WriteJournal } from "./files/write-journal.ts";
export { readBranch, readCommit } from "./git/checked-out.ts";
export { repositoryRoot } from "./git/repository-root.ts";
export type { Outcome } from "./outcome.ts";
export { type EditedText, editText } from "./processes/edit-text.ts";
export { interpreterOf, isProgram } from "./processes/find-program.ts";
export type { Job, Jobs } from "./processes/jobs.ts";
export { openLink } from "./processes/open-link.ts";
export { type OutsidePrograms, outsidePrograms } from "./processes/outside-programs.ts";
export { type PersonsCommand, runPersonsCommand } from "./processes/persons-command.ts";
export { createPrograms, type Programs } from "./processes/programs.ts";
export { type ClipboardImage, readClipboard } from "./processes/read-clipboard.ts";
export { type HelperEnd, type HelperRequest, runHelper } from "./processes/run-helper.ts";
export { runPersonsTerminal } from "./processes/run-persons-terminal.ts";
export { type RunningServer, runServer, type ServerRequest } from "./processes/run-server.ts";
export {
  maxResultChars,
  openToolResources,
  type ToolResources,
  type ToolResourcesOptions,
} from "./resources.ts";
export type { HomeView, Sandbox, SandboxMode, SandboxState } from "./sandbox/sandbox.ts";
export { type FileListing, listFiles } from "./search/list-files.ts";
export { riskOfProgram } from "./shell/programs/table.ts";
export type { TypedCommand } from "./snapshots/around-typed.ts";
export { isTypedTurn } from "./snapshots/typed-turn.ts";
export { readChoice } from "./tool-choice.ts";
export { createTools, type ToolSetName, toolSet, toolSetNames } from "./tool-sets.ts";
export { type ReadSkillOptions, readSkill, type SkillShelf } from "./tools/read-skill.ts";
export { type Agent, type RunAgentOptions, runAgent } from "./tools/run-agent.ts";
export type { SearchService, WebParts } from "./web/web-parts.ts";
export { wholeFileTool, wholeListTool } from "./whole-files.ts";
export { type AddedFolder, type AddedFolders, createAddedFolders } from "./workspace/added-folders.ts";
export type { OpenFile } from "./workspace/handles.ts";
export { isOrdinary } from "./workspace/ordinary.ts";
export { realAsFar } from "./workspace/real-as-far.ts";
export { openWorkspace, type Workspace, type WorkspaceOptions } from "./workspace/workspace.ts";
