import type { Language } from "./language.ts";

export const go: Language = {
  id: "go",
  extensions: [".go"],
  grammar: "go",
  query: `
(function_declaration name: (identifier) @name) @function
(method_declaration name: (field_identifier) @name) @method
(type_spec name: (type_identifier) @name type: (struct_type)) @struct
(type_spec name: (type_identifier) @name type: (interface_type)) @interface
(type_spec name: (type_identifier) @name) @type
(type_alias name: (type_identifier) @name) @type
(source_file (const_declaration (const_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @variable)))
(field_declaration name: (field_identifier) @name) @field
(method_elem name: (field_identifier) @name) @method
(import_spec path: (interpreted_string_literal) @import)
(call_expression function: [(identifier) @call (selector_expression field: (field_identifier) @call)])
[(identifier) (type_identifier) (field_identifier) (package_identifier)] @reference
`,
};
