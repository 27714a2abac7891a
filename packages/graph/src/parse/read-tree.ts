/** Reads definitions, imports and uses of names from the captures of a query. */
import type { QueryCapture } from "web-tree-sitter";
import { type SymbolKind, symbolKinds } from "../languages/language.ts";
import type { FoundSymbol } from "./facts.ts";
import type { PlaceKind, SourcePlace } from "./places.ts";

const maxSignatureChars = 200;
/** The maximum length of a name in the index. A longer one is cut. */
export const maxNameChars = 200;

/** A node that the query captured. */
interface Captured {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly endLine: number;
  readonly text: string;
}

interface Definition extends Captured {
  readonly kind: SymbolKind;
  readonly name: Captured;
}

export interface TreeFacts {
  readonly symbols: readonly FoundSymbol[];
  readonly imports: readonly string[];
  readonly names: ReadonlyMap<string, readonly SourcePlace[]>;
}

/** One match of the query: the captures of one pattern. */
export interface CapturedPattern {
  readonly captures: readonly QueryCapture[];
}

export function readTree(
  patterns: readonly CapturedPattern[],
  text: string,
  lines: readonly string[],
): TreeFacts {
  const definitions = new Map<number, Definition>();
  const uses = new Map<number, { readonly kind: PlaceKind; readonly node: Captured }>();
  const imports = new Map<number, Captured>();
  const statements: Captured[] = [];
  for (const { captures } of patterns) {
    const kind = kindOf(captures);
    if (kind !== undefined) addDefinition(definitions, captures, kind, text);
    for (const { name, node } of captures) {
      if (name === "import") imports.set(node.startIndex, capturedOf(node, text));
      else if (name === "imports") statements.push(capturedOf(node, ""));
      else if (name === "call" || name === "reference") {
        const use = uses.get(node.startIndex);
        if (use === undefined || (use.kind === "r" && name === "call")) {
          uses.set(node.startIndex, { kind: name === "call" ? "c" : "r", node: capturedOf(node, text) });
        }
      }
    }
  }
  return {
    symbols: nest([...definitions.values()], lines),
    imports: [...new Set(Array.from(imports.values(), ({ text: name }) => unquoted(name)))],
    names: namesOf(definitions, uses, statements),
  };
}

const kinds: ReadonlySet<string> = new Set(symbolKinds);

function kindOf(captures: readonly QueryCapture[]): SymbolKind | undefined {
  return captures.find(({ name }) => kinds.has(name))?.name as SymbolKind | undefined;
}

/**
 * Adds a definition. Of several definitions with the same name node, keeps the one whose kind has the lowest rank, and of
 * equal ranks the earliest.
 */
function addDefinition(
  definitions: Map<number, Definition>,
  captures: readonly QueryCapture[],
  kind: SymbolKind,
  text: string,
): void {
  const whole = captures.find(({ name }) => name === kind)?.node;
  const name = captures.find((one) => one.name === "name")?.node;
  if (whole === undefined || name === undefined) return;
  const earlier = definitions.get(name.startIndex);
  if (earlier !== undefined && rank(earlier.kind) <= rank(kind)) return;
  definitions.set(name.startIndex, { ...capturedOf(whole, ""), kind, name: capturedOf(name, text) });
}

/**
 * Returns the rank of a kind; a lower rank says more. If several patterns find a name, the kind with the lowest rank
 * counts: every method is also a function, and every struct is also a type.
 */
function rank(kind: SymbolKind): number {
  switch (kind) {
    case "method":
    case "struct":
    case "interface":
      return 0;
    case "function":
      return 1;
    case "constant":
    case "variable":
    case "type":
      return 2;
    default:
      return 1;
  }
}

function capturedOf(node: QueryCapture["node"], text: string): Captured {
  return {
    start: node.startIndex,
    end: node.endIndex,
    line: node.startPosition.row + 1,
    endLine: node.endPosition.row + 1,
    text: text.slice(node.startIndex, Math.min(node.endIndex, node.startIndex + maxNameChars)),
  };
}

/** Returns the symbols in the order of the file. The container of each symbol is made of the definitions around it. */
function nest(definitions: readonly Definition[], lines: readonly string[]): readonly FoundSymbol[] {
  const ordered = definitions.toSorted((left, right) => left.start - right.start || right.end - left.end);
  const open: Definition[] = [];
  return ordered.map((one) => {
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= one.start) open.pop();
    const container = open.map(({ name }) => name.text).join(".");
    open.push(one);
    return {
      name: one.name.text,
      kind: one.kind,
      container,
      line: one.name.line,
      endLine: one.endLine,
      signature: (lines[one.name.line - 1] ?? "").trim().slice(0, maxSignatureChars),
    };
  });
}

function namesOf(
  definitions: ReadonlyMap<number, Definition>,
  uses: ReadonlyMap<number, { readonly kind: PlaceKind; readonly node: Captured }>,
  statements: readonly Captured[],
): ReadonlyMap<string, readonly SourcePlace[]> {
  const found = new Map<string, SourcePlace[]>();
  const add = (name: string, kind: PlaceKind, line: number) => {
    if (name === "" || /[\t\n]/.test(name)) return;
    const places = found.get(name);
    if (places === undefined) found.set(name, [{ kind, line }]);
    else if (!places.some((place) => place.line === line && place.kind === kind)) places.push({ kind, line });
  };
  for (const { name } of definitions.values()) add(name.text, "d", name.line);
  for (const [start, { kind, node }] of uses) {
    if (definitions.has(start)) continue;
    const imported = statements.some((one) => one.start <= node.start && node.end <= one.end);
    add(node.text, imported ? "i" : kind, node.line);
  }
  return found;
}

function unquoted(name: string): string {
  return name.replace(/^["'<`]|[">'`]$/g, "");
}
