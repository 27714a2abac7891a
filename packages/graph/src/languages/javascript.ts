import type { Language } from "./language.ts";
import { scriptQuery } from "./typescript.ts";

export const javascript: Language = {
  id: "javascript",
  extensions: [".js", ".jsx", ".mjs", ".cjs"],
  grammar: "javascript",
  query: `${scriptQuery}
(class_declaration name: (identifier) @name) @class
(field_definition property: [(property_identifier) (private_property_identifier)] @name) @field
(jsx_opening_element name: (identifier) @call (#match? @call "^[A-Z]"))
(jsx_self_closing_element name: (identifier) @call (#match? @call "^[A-Z]"))
`,
};
