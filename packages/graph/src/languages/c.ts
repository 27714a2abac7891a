import type { Language } from "./language.ts";

/** The patterns of C. The grammar of C++ is used for them. */
const query = `
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @function
(function_definition declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name))) @function
(translation_unit (declaration declarator: (function_declarator declarator: (identifier) @name)) @function)
(struct_specifier name: (type_identifier) @name body: (_)) @struct
(union_specifier name: (type_identifier) @name body: (_)) @struct
(enum_specifier name: (type_identifier) @name body: (_)) @enum
(enumerator name: (identifier) @name) @constant
(type_definition declarator: (type_identifier) @name) @type
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @variable)
(translation_unit (declaration declarator: (identifier) @name) @variable)
(field_declaration declarator: (field_identifier) @name) @field
(preproc_include path: (_) @import)
(call_expression function: [(identifier) @call (field_expression field: (field_identifier) @call)])
[(identifier) (type_identifier) (field_identifier)] @reference
`;

export const c: Language = { id: "c", extensions: [".c", ".h"], grammar: "cpp", query };

export const cpp: Language = {
  id: "c++",
  extensions: [".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx", ".ipp"],
  grammar: "cpp",
  query: `${query}
(class_specifier name: (type_identifier) @name body: (_)) @class
(namespace_definition name: (namespace_identifier) @name) @module
(function_definition declarator: (function_declarator declarator: (field_identifier) @name)) @method
(function_definition declarator: (function_declarator
  declarator: (qualified_identifier name: (identifier) @name))) @method
(function_definition declarator: (reference_declarator
  (function_declarator declarator: [(identifier) (field_identifier)] @name))) @method
(field_declaration declarator: (function_declarator declarator: (field_identifier) @name)) @method
(alias_declaration name: (type_identifier) @name) @type
(call_expression function: [(qualified_identifier name: (identifier) @call)
  (template_function name: (identifier) @call)])
(new_expression type: (type_identifier) @call)
(namespace_identifier) @reference
`,
};
