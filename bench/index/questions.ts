/** Sixty questions about this repository, each with the files that answer it; one file is enough. Written by hand. */

export interface Question {
  readonly asks: string;
  /** Paths below `packages`. */
  readonly answers: readonly string[];
}

const rows: readonly (readonly [asks: string, answers: string])[] = [
  ["where are environment variables of child processes chosen", "processes/src/children/environment.ts"],
  ["decide whether a call is allowed by the rules", "engine/src/policy/decide.ts"],
  [
    "when is the prompt made shorter because the context window is full",
    "engine/src/turn/ask-in-window.ts engine/src/turn/prompt-window.ts context/src/compactor.ts",
  ],
  [
    "replace a file on disk without leaving a mix of old and new content",
    "workspace/src/files/replace-file.ts",
  ],
  [
    "names of files that usually hold passwords or keys",
    "workspace/src/paths/secret-table.ts workspace/src/paths/secret-name.ts",
  ],
  [
    "convert HTML to Markdown in a worker",
    "tools/src/web/convert-html.ts tools/src/web/html-to-markdown.ts tools/src/web/html-worker.ts",
  ],
  ["run ripgrep and split its output into lines", "processes/src/search/ripgrep.ts"],
  [
    "how does an address of a private network get refused when fetching a page",
    "models/src/http/web-door.ts models/src/http/address-kind.ts",
  ],
  [
    "kill the process tree of a command",
    "processes/src/children/process-tree.ts processes/src/children/control-group.ts",
  ],
  [
    "read lines of an audit log backwards in time since",
    "store/src/audit/read-audit.ts store/src/audit/since-time.ts",
  ],
  ["undo the changes of the last turn", "store/src/undo/undo-changes.ts store/src/undo/plan-undo.ts"],
  ["parse a duration of time such as 7d or 12h", "store/src/audit/since-time.ts"],
  ["format a byte size for people such as 1.5 KB", "workspace/src/show.ts"],
  [
    "detect that a model repeats the same tool call",
    "engine/src/guards/duplicates.ts engine/src/calls/judge-duplicate.ts engine/src/calls/find-duplicates.ts",
  ],
  [
    "mask secrets in text before it is shown",
    "engine/src/calls/mask-text.ts harness/src/config/secrets.ts models/src/http/secrets.ts",
  ],
  ["load the grammar of bash", "commands/src/shell/grammar.ts"],
  ["list of programs that only look and change nothing", "commands/src/shell/programs/looks.ts"],
  [
    "bubblewrap sandbox open rules",
    "processes/src/sandbox/open-sandbox.ts processes/src/sandbox/sandbox-profile.ts",
  ],
  ["jobs that run in the background and their output", "processes/src/children/jobs.ts"],
  ["reducer that folds events into a view", "protocol/src/view.ts"],
  ["clean text so that it cannot control the terminal", "protocol/src/plain-text.ts"],
  ["coerce arguments to the types of the schema", "schema/src/coerce.ts detect/src/call/coerce-arguments.ts"],
  ["guess the parameter name that the model meant", "schema/src/meant-names.ts"],
  ["read JSON with errors incrementally", "detect/src/json/read-json.ts"],
  ["format of tool calls of DeepSeek models", "detect/src/formats/deepseek.ts"],
  ["calls written in the harmony format", "detect/src/formats/harmony.ts"],
  [
    "hold back a partial marker while streaming",
    "detect/src/scan/scanner.ts detect/src/scan/literals.ts detect/src/scan/triggers.ts detect/src/scan/standing.ts",
  ],
  ["find model servers on this machine", "models/src/choice/find-servers.ts"],
  ["stream a chat answer from Ollama", "models/src/wire/ollama-chat.ts"],
  [
    "retry a request after a server error with a wait",
    "models/src/http/retry.ts models/src/wire/exchange.ts models/src/choice/connect.ts",
  ],
  ["table of providers with their addresses and keys", "models/src/choice/catalog.ts"],
  [
    "record and replay the answers of a model",
    "models/src/recordings/record.ts models/src/recordings/replay.ts",
  ],
  ["limit the number of parallel requests to one server", "models/src/request/take-turns.ts"],
  ["table of settings", "harness/src/config/fields.ts"],
  ["where is the configuration folder", "harness/src/config/location.ts"],
  [
    "ask whether the person trusts this folder",
    "harness/src/permission/trust/settle-trust.ts harness/src/permission/trust/trust-question.ts cli/src/terminal/ask-trust.ts",
  ],
  [
    "read instruction files such as AGENTS.md",
    "harness/src/prompt/instructions/read-instructions.ts harness/src/prompt/instructions/nested-instructions.ts",
  ],
  ["script for shell completion of fish", "harness/src/commands/completions/fish-script.ts"],
  [
    "attach files that a message names with @",
    "harness/src/prompt/attachments/attach-files.ts harness/src/prompt/attachments/attach-named.ts protocol/src/mentions.ts",
  ],
  ["rank file paths for the list of suggestions", "harness/src/host/rank-paths.ts"],
  ["cost of tokens in money", "harness/src/host/cost-meter.ts"],
  ["system prompt text", "harness/src/prompt/system-prompt.ts"],
  ["exit codes of the program", "harness/src/commands/exit-code.ts"],
  [
    "work through a file of stories until all pass",
    "harness/src/commands/loop/run-stories.ts harness/src/commands/loop/task-file.ts cli/src/commands/loop.ts",
  ],
  [
    "lock a file so that two processes do not write it",
    "store/src/kept-file/file-lock.ts store/src/kept-file/lock-holder.ts",
  ],
  ["search in saved sessions", "store/src/sessions/search-sessions.ts"],
  [
    "export a session as HTML",
    "store/src/sessions/export/html-text.ts store/src/sessions/export/export-session.ts",
  ],
  ["mend a session file that was cut off", "store/src/sessions/mend-events.ts"],
  ["which folders are trusted, kept in a file", "store/src/trust/trust-file.ts"],
  ["count statistics of a run per model", "store/src/stats/run-tally.ts store/src/stats/stats-file.ts"],
  ["parse the command line into flags and positionals", "cli/src/arguments/parse.ts"],
  ["suggest the command for a mistyped one", "cli/src/arguments/mistyped-command.ts"],
  ["unified diff of two texts", "workspace/src/files/unified-diff.ts"],
  [
    "find the old text of an edit although its indentation differs",
    "workspace/src/files/match-block.ts workspace/src/files/match-text.ts workspace/src/files/nearest-region.ts",
  ],
  ["decode bytes with a byte order mark", "workspace/src/files/decode-text.ts"],
  [
    "names that git runs as hooks are protected",
    "workspace/src/paths/protected-table.ts workspace/src/paths/protected.ts",
  ],
  [
    "open a path below the root without following links out of it",
    "workspace/src/paths/descriptor-door.ts workspace/src/paths/real-path-door.ts workspace/src/paths/door.ts workspace/src/paths/open-workspace.ts",
  ],
  [
    "programs that are asked before and after a tool call",
    "engine/src/calls/consult-hooks.ts harness/src/permission/hooks/persons-hooks.ts harness/src/permission/hooks/project-hooks.ts engine/src/hooks.ts",
  ],
  ["give a task to another agent", "engine/src/session/delegate.ts tools/src/tools/run-agent.ts"],
  [
    "draw only the part of the screen that is not frozen",
    "terminal/src/screen/frozen-screen.ts terminal/src/screen/frames.ts",
  ],
];

export const questions: readonly Question[] = rows.map(([asks, answers]) => ({
  asks,
  answers: answers.split(" ").map((path) => `packages/${path}`),
}));
