/** The languages for which errors are looked up after an edit, with their language servers. A language is one row. */
import { extname } from "node:path";

export interface CheckedLanguage {
  readonly name: string;
  /** The servers, the preferred one first, each as its program and arguments. */
  readonly servers: readonly (readonly [string, ...string[]])[];
  /** The language id of the protocol for each ending of a file name. */
  readonly ids: Readonly<Record<string, string>>;
  /** A regular expression for a line with which a file imports another one; `NAME` is the name of that file or its folder. */
  readonly imports: string;
}

export const languages: readonly CheckedLanguage[] = [
  {
    name: "TypeScript",
    servers: [
      ["typescript-language-server", "--stdio"],
      ["tsgo", "--lsp", "--stdio"],
    ],
    ids: {
      ...{ ".ts": "typescript", ".mts": "typescript", ".cts": "typescript", ".tsx": "typescriptreact" },
      ...{ ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascriptreact" },
    },
    imports: "(from|import|require).*[\"'/]NAME[.\"'/]",
  },
  {
    name: "Python",
    servers: [
      ["pyright-langserver", "--stdio"],
      ["basedpyright-langserver", "--stdio"],
    ],
    ids: { ".py": "python", ".pyi": "python" },
    imports: "^\\s*(from|import)\\b.*\\bNAME\\b",
  },
  { name: "Go", servers: [["gopls"]], ids: { ".go": "go" }, imports: '"([^"]*/)?NAME"' },
  {
    name: "Rust",
    servers: [["rust-analyzer"]],
    ids: { ".rs": "rust" },
    imports: "\\b(use|mod)\\b.*\\bNAME\\b",
  },
  {
    name: "C and C++",
    servers: [["clangd"]],
    ids: {
      ...{ ".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp" },
      ...{ ".hh": "cpp", ".hpp": "cpp", ".hxx": "cpp" },
    },
    imports: "#\\s*include\\b.*\\bNAME\\.",
  },
];

/** Returns the language of a file by the ending of its name. */
export function languageOf(path: string): CheckedLanguage | undefined {
  return languages.find(({ ids }) => Object.hasOwn(ids, extname(path)));
}
