import type { Language } from "./language.ts";

export const ruby: Language = {
  id: "ruby",
  extensions: [".rb", ".rake"],
  grammar: "ruby",
  query: `
(class name: [(constant) @name (scope_resolution name: (constant) @name)]) @class
(module name: [(constant) @name (scope_resolution name: (constant) @name)]) @module
(method name: [(identifier) (constant) (setter) (operator)] @name) @method
(singleton_method name: [(identifier) (constant) (setter) (operator)] @name) @method
(assignment left: (constant) @name) @constant
(call method: (identifier) @_require arguments: (argument_list (string (string_content) @import))
  (#match? @_require "^(require|require_relative|load)$"))
(call method: [(identifier) (constant)] @call)
[(identifier) (constant) (instance_variable) (class_variable) (global_variable)] @reference
`,
};
