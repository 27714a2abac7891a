/** Parses one source text with the grammar of its language. */
import type { Parser, Query } from "web-tree-sitter";
import { readGrammar, readRuntime } from "../graph-files.ts";
import type { Language } from "../languages/language.ts";
import type { ParseOutcome } from "./facts.ts";
import { hashText } from "./hash-text.ts";
import { writePlaces } from "./places.ts";
import { readTree } from "./read-tree.ts";
import { refuseText } from "./refuse-text.ts";
import { cutSections } from "./sections.ts";

/** A grammar with its query, ready to parse. */
interface Loaded {
  readonly parser: Parser;
  readonly query: Query;
}

const loaded = new Map<string, Promise<Loaded>>();
let runtime: Promise<typeof import("web-tree-sitter")> | undefined;

/** The maximum number of unfinished matches of a query, which limits its memory and time. */
const matchLimit = 4096;

/** Returns what the text defines and uses. `known` is the hash of the text that is already in the index. */
export async function parseSource(
  text: string,
  language: Language,
  known: string | undefined,
): Promise<ParseOutcome> {
  const digest = hashText(text);
  if (digest === known) return { kind: "same", hash: digest };
  const reason = refuseText(text);
  if (reason !== undefined) return { kind: "skipped", reason };
  const { parser, query } = await load(language);
  const tree = parser.parse(text);
  if (tree === null) return { kind: "skipped", reason: "the parser gave up" };
  try {
    const lines = text.split("\n");
    const { symbols, imports, names } = readTree(query.matches(tree.rootNode, { matchLimit }), text, lines);
    const sections = cutSections(lines, symbols);
    const facts = {
      hash: digest,
      language: language.id,
      symbols,
      imports,
      places: writePlaces(names),
      sections,
    };
    return { kind: "parsed", facts };
  } finally {
    tree.delete();
  }
}

/** Loads the grammar of a language. Each grammar is loaded only once. */
function load(language: Language): Promise<Loaded> {
  const there = loaded.get(language.id);
  if (there !== undefined) return there;
  const loading = (async () => {
    runtime ??= loadRuntime();
    const { Language: Grammar, Parser, Query } = await runtime;
    const grammar = await Grammar.load(readGrammar(language.grammar));
    const parser = new Parser();
    parser.setLanguage(grammar);
    return { parser, query: new Query(grammar, language.query) };
  })();
  loaded.set(language.id, loading);
  return loading;
}

async function loadRuntime(): Promise<typeof import("web-tree-sitter")> {
  const library = await import("web-tree-sitter");
  const { buffer, byteOffset, byteLength } = readRuntime();
  await library.Parser.init({ wasmBinary: new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength) });
  return library;
}
