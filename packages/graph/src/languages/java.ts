import type { Language } from "./language.ts";

export const java: Language = {
  id: "java",
  extensions: [".java"],
  grammar: "java",
  query: `
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_constant name: (identifier) @name) @constant
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @field
(import_declaration) @imports
(import_declaration [(scoped_identifier) (identifier)] @import)
(method_invocation name: (identifier) @call)
(object_creation_expression type: [(type_identifier) @call (generic_type (type_identifier) @call)])
[(identifier) (type_identifier)] @reference
`,
};
