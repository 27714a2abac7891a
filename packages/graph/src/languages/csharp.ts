import type { Language } from "./language.ts";

export const csharp: Language = {
  id: "c#",
  extensions: [".cs"],
  grammar: "c-sharp",
  query: `
(namespace_declaration name: (_) @name) @module
(file_scoped_namespace_declaration name: (_) @name) @module
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @struct
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_member_declaration name: (identifier) @name) @constant
(delegate_declaration name: (identifier) @name) @type
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(local_function_statement name: (identifier) @name) @function
(property_declaration name: (identifier) @name) @field
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
(using_directive) @imports
(using_directive [(identifier) (qualified_name)] @import)
(invocation_expression function: [(identifier) @call (member_access_expression name: (identifier) @call)
  (generic_name (identifier) @call)])
(object_creation_expression type: [(identifier) @call (generic_name (identifier) @call)])
(identifier) @reference
`,
};
