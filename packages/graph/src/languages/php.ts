import type { Language } from "./language.ts";

export const php: Language = {
  id: "php",
  extensions: [".php"],
  grammar: "php",
  query: `
(namespace_definition name: (namespace_name) @name) @module
(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @trait
(enum_declaration name: (name) @name) @enum
(enum_case name: (name) @name) @constant
(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @method
(const_element (name) @name) @constant
(property_element (variable_name (name) @name)) @field
(namespace_use_declaration) @imports
(namespace_use_clause [(qualified_name) (name)] @import)
(require_once_expression [(string) (encapsed_string)] @import)
(require_expression [(string) (encapsed_string)] @import)
(include_expression [(string) (encapsed_string)] @import)
(include_once_expression [(string) (encapsed_string)] @import)
(function_call_expression function: [(name) @call (qualified_name (name) @call)])
(member_call_expression name: (name) @call)
(scoped_call_expression name: (name) @call)
(object_creation_expression [(name) @call (qualified_name (name) @call)])
(name) @reference
`,
};
