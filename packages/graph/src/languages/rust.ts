import type { Language } from "./language.ts";

export const rust: Language = {
  id: "rust",
  extensions: [".rs"],
  grammar: "rust",
  query: `
(impl_item body: (declaration_list (function_item name: (identifier) @name) @method))
(trait_item body: (declaration_list (function_item name: (identifier) @name) @method))
(trait_item body: (declaration_list (function_signature_item name: (identifier) @name) @method))
(function_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @struct
(union_item name: (type_identifier) @name) @struct
(enum_item name: (type_identifier) @name) @enum
(trait_item name: (type_identifier) @name) @trait
(type_item name: (type_identifier) @name) @type
(mod_item name: (identifier) @name) @module
(macro_definition name: (identifier) @name) @macro
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @variable
(field_declaration name: (field_identifier) @name) @field
(enum_variant name: (identifier) @name) @constant
(use_declaration) @imports
(use_declaration argument: (_) @import)
(call_expression function: [(identifier) @call
  (scoped_identifier name: (identifier) @call)
  (field_expression field: (field_identifier) @call)
  (generic_function function: (identifier) @call)])
(macro_invocation macro: [(identifier) @call (scoped_identifier name: (identifier) @call)])
[(identifier) (type_identifier) (field_identifier) (shorthand_field_identifier)] @reference
`,
};
