/** Loads the engine that `npm run engine:install` installed: a prebuilt llama.cpp that runs on the CPU with one thread. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The folder of the engine: outside of the project's packages and ignored by git. */
export const engineFolder = join(import.meta.dirname, "..", "..", ".engine");
/** The path of a file that is written when the installation is complete. */
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
  /** Returns the text of tokens; with `controls` it includes control tokens. */
  textOf(tokens: readonly Token[], controls: boolean): string;
  isEnd(token: Token): boolean;
  /** Yields the tokens that follow the prompt. The beginning that it shares with the earlier prompt is not processed again. */
  write(prompt: readonly Token[], options: WriteOptions): AsyncGenerator<Token, void, void>;
  dispose(): Promise<void>;
}

export interface WriteOptions {
  readonly temperature: number;
  /** Called once with the number of prompt tokens that were cached. */
  readonly begins: (known: number) => void;
}

/** Returns how to install the engine when it is missing; undefined when it is there. */
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

/** The part of the package that is used. The package is not a dependency of the project. */
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
