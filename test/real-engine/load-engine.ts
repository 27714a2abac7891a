/** The engine that `npm run engine:install` put beside the project: llama.cpp, prebuilt, on the processor, with one thread. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Where the engine is installed: outside of the project's own packages, in a folder that git ignores. */
export const engineFolder = join(import.meta.dirname, "..", "..", ".engine");
/** Is written when the engine is whole. */
export const engineMark = join(engineFolder, "installed");
const entry = join(engineFolder, "node_modules", "node-llama-cpp", "dist", "index.js");

export type Token = number & { readonly __token: never };

export interface LoadedModel {
  readonly contextSize: number;
  /** The chat template that the file carries. */
  readonly template: string;
  readonly begin: string;
  readonly end: string;
  tokenize(text: string): Token[];
  /** `controls`: marks that a server keeps to itself are written out as well. */
  textOf(tokens: readonly Token[], controls: boolean): string;
  isEnd(token: Token): boolean;
  /** The tokens that follow the prompt, one at a time. What an earlier prompt has in common with it is not read again. */
  write(prompt: readonly Token[], options: WriteOptions): AsyncGenerator<Token, void, void>;
  dispose(): Promise<void>;
}

export interface WriteOptions {
  readonly temperature: number;
  /** Called once, with how many tokens of the prompt were known. */
  readonly begins: (known: number) => void;
}

/** Says what to do where there is no engine. */
export function engineMissing(): string | undefined {
  return existsSync(engineMark)
    ? undefined
    : `Expected the engine in ${engineFolder}; it is not there. Run: npm run engine:install`;
}

export async function loadModel(modelPath: string, contextSize: number): Promise<LoadedModel> {
  const missing = engineMissing();
  if (missing !== undefined) throw new Error(missing);
  const { getLlama }: EnginePackage = await import(pathToFileURL(entry).href);
  const llama = await getLlama({
    gpu: false,
    build: "never",
    skipDownload: true,
    maxThreads: 1,
    logLevel: "error",
    progressLogs: false,
  });
  const model = await llama.loadModel({ modelPath, gpuLayers: 0 });
  const context = await model.createContext({ contextSize, sequences: 1, threads: 1 });
  const sequence = context.getSequence();
  return {
    contextSize: context.contextSize,
    template: model.fileInfo.metadata.tokenizer.chat_template ?? "",
    begin: model.tokens.bosString ?? "",
    end: model.tokens.eosString ?? "",
    tokenize: (text) => model.tokenize(text, true),
    textOf: (tokens, controls) => model.detokenize(tokens, controls),
    isEnd: (token) => model.isEogToken(token),
    async *write(prompt, { temperature, begins }) {
      await sequence.adaptStateToTokens(prompt.slice(0, -1), false);
      begins(sequence.nextTokenIndex);
      const rest = prompt.slice(sequence.nextTokenIndex);
      yield* sequence.evaluate(rest, { temperature, yieldEogToken: true });
    },
    dispose: () => llama.dispose(),
  };
}

/** What is used of the package, which is no dependency of the project. */
interface EnginePackage {
  getLlama(options: {
    readonly gpu: false;
    readonly build: "never";
    readonly skipDownload: boolean;
    readonly maxThreads: number;
    readonly logLevel: "error";
    readonly progressLogs: boolean;
  }): Promise<{ loadModel(options: object): Promise<EngineModel>; dispose(): Promise<void> }>;
}

interface EngineModel {
  readonly fileInfo: { readonly metadata: { readonly tokenizer: { readonly chat_template?: string } } };
  readonly tokens: { readonly bosString: string | null; readonly eosString: string | null };
  tokenize(text: string, specialTokens: boolean): Token[];
  detokenize(tokens: readonly Token[], specialTokens: boolean): string;
  isEogToken(token: Token): boolean;
  createContext(options: object): Promise<{ readonly contextSize: number; getSequence(): EngineSequence }>;
}

interface EngineSequence {
  readonly nextTokenIndex: number;
  adaptStateToTokens(tokens: readonly Token[], allowShift: boolean): Promise<void>;
  evaluate(
    tokens: readonly Token[],
    options: { readonly temperature: number; readonly yieldEogToken: boolean },
  ): AsyncGenerator<Token, void, void>;
}
