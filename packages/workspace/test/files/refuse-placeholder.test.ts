import { expect, test } from "vitest";
import { findPlaceholder } from "../../src/files/refuse-placeholder.ts";

test.each([
  "// ... rest of code ...",
  "    // ... existing code ...",
  "# ... rest of the file unchanged",
  "/* ... remaining methods ... */",
  "<!-- ... rest of the content ... -->",
  "// ...rest of the implementation",
  "(rest of code...)",
  "# … same as before",
  "{/* ... existing code ... */}",
])("finds %j", (line) => {
  expect(findPlaceholder(`a\n${line}\nb`, "")).toBe(line.trim());
  expect(findPlaceholder(`a\n${line}\nb`, `x\n${line}\ny`)).toBeUndefined();
});

test.each([
  "function f(...rest) { return rest; }",
  "const { a, ...rest } = options;",
  "// The rest of the code base uses this.",
  "return [...existing, item];",
  'console.log("Loading the rest of the file...");',
  "# Wait for the other thread...",
  "...",
])("leaves %j alone", (line) => {
  expect(findPlaceholder(line, "")).toBeUndefined();
});
