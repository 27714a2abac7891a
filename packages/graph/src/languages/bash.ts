import type { Language } from "./language.ts";

export const bash: Language = {
  id: "bash",
  extensions: [".sh", ".bash"],
  grammar: "bash",
  query: `
(function_definition name: (word) @name) @function
(program (variable_assignment name: (variable_name) @name) @variable)
(program (declaration_command (variable_assignment name: (variable_name) @name) @variable))
(command name: (command_name (word) @_source) argument: [(word) (string)] @import
  (#match? @_source "^(source|\\\\.)$"))
(command name: (command_name (word) @call))
(variable_name) @reference
`,
};
