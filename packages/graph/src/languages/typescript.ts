import type { Language } from "./language.ts";

/** The patterns that JavaScript shares with TypeScript. */
export const scriptQuery = `
(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(method_definition name: [(property_identifier) (private_property_identifier)] @name) @method
(variable_declarator name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)]) @function
(program (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(program (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @constant)))
(import_statement) @imports
(import_statement source: (string (string_fragment) @import))
(export_statement source: (string (string_fragment) @import))
(call_expression function: [(identifier) @call
  (member_expression property: [(property_identifier) (private_property_identifier)] @call)])
(call_expression function: (import) arguments: (arguments (string (string_fragment) @import)))
(call_expression function: (identifier) @_require arguments: (arguments (string (string_fragment) @import))
  (#eq? @_require "require"))
(new_expression constructor: [(identifier) @call (member_expression property: (property_identifier) @call)])
[(identifier) (property_identifier) (private_property_identifier) (shorthand_property_identifier)
  (shorthand_property_identifier_pattern)] @reference
`;

const query = `${scriptQuery}
(class_declaration name: (type_identifier) @name) @class
(abstract_class_declaration name: (type_identifier) @name) @class
(interface_declaration name: (type_identifier) @name) @interface
(type_alias_declaration name: (type_identifier) @name) @type
(enum_declaration name: (identifier) @name) @enum
(internal_module name: (identifier) @name) @module
(function_signature name: (identifier) @name) @function
(abstract_method_signature name: (property_identifier) @name) @method
(interface_body (method_signature name: (property_identifier) @name) @method)
(interface_body (property_signature name: (property_identifier) @name) @field)
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name) @field
(type_identifier) @reference
`;

export const typescript: Language = {
  id: "typescript",
  extensions: [".ts", ".mts", ".cts"],
  grammar: "typescript",
  query,
};

export const tsx: Language = {
  id: "tsx",
  extensions: [".tsx"],
  grammar: "tsx",
  query: `${query}
(jsx_opening_element name: (identifier) @call (#match? @call "^[A-Z]"))
(jsx_self_closing_element name: (identifier) @call (#match? @call "^[A-Z]"))
`,
};
