import type { Language } from "./language.ts";

export const python: Language = {
  id: "python",
  extensions: [".py", ".pyi"],
  grammar: "python",
  query: `
(module (function_definition name: (identifier) @name) @function)
(module (decorated_definition (function_definition name: (identifier) @name) @function))
(class_definition body: (block (function_definition name: (identifier) @name) @method))
(class_definition body: (block (decorated_definition (function_definition name: (identifier) @name) @method)))
(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(module (expression_statement (assignment left: (identifier) @name) @variable))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @field)))
(import_statement) @imports
(import_from_statement) @imports
(import_statement name: (dotted_name) @import)
(import_statement name: (aliased_import name: (dotted_name) @import))
(import_from_statement module_name: [(dotted_name) (relative_import)] @import)
(call function: [(identifier) @call (attribute attribute: (identifier) @call)])
(identifier) @reference
`,
};
