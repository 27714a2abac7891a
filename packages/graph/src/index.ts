/** Exports the code graph: an index of the symbols, references and words of a workspace's source files. */
export type { FoundLine, GraphAnswer, GraphAnswers, SymbolAnswer } from "./answers.ts";
export {
  type CodeGraph,
  defaultMaxBytes,
  defaultMaxFiles,
  type GraphOptions,
  openGraph,
} from "./code-graph.ts";
export type { EmbedReport } from "./embed-sections.ts";
export type { Embedded, Embedder } from "./embedder.ts";
export { languageOf, languages } from "./languages/table.ts";
export { searchedWords } from "./parse/searched-words.ts";
export type { FileState, SourceFiles, SourceListing, SourceText } from "./source-files.ts";
export type { IndexStatus } from "./store/index-store.ts";
export type { SweepReport, TellProgress } from "./sweep.ts";
export { maxParserMegabytes } from "./threads/parser.ts";
export { IndexError } from "./threads/store.ts";
