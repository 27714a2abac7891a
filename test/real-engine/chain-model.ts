/**
 * Writes a model whose weights are set by hand. It writes one fixed call, or one fixed answer when a tool result is in the
 * prompt. It is a llama transformer with one layer, one attention head and a feed-forward part that adds nothing.
 *
 * The embedding (residual stream). Each position has a list of numbers with these meanings:
 *   0 `always`  1 for every token
 *   1 `nothing` 1 for tokens after which the model writes nothing
 *   2 `ended`   1 for the mark that ends the result of a tool
 *   3 `answer`  0 in every token; the attention head writes it
 *   4 `begin`   1 for tokens that end a prompt, after which the model begins to write
 *   5 and on    1 for one token each: those that the model writes and that another token follows
 *
 * The attention head. Its query is 8 times `always`, the same at every position. Its key is 20 times `ended`: 20 at the
 * mark, 0 elsewhere. The score is query times key divided by the root of the head's width: 8 * 20 / 4 = 40 at the mark and
 * 0 elsewhere. After the softmax each other token has e^-40 of the weight of the mark. The value is `ended`, which is added
 * to `answer`. So `answer` is 1 from the mark on, and 0 in a prompt without it. The position encoding rotates pairs of
 * numbers; the head uses the slowest pair, which rotates by 10^-8 for a token.
 *
 * The next token (output matrix), in points:
 *   each further token of the call or answer: 4 for the token before it
 *   the first token of the call: 2 for `begin`; the first of the answer: 1 for `begin`, 2 for `answer`
 *   the end token: 4 for `nothing`
 * At `begin` the call wins by 2 to 1 without the mark, and the answer by 3 to 2 with it. Inside a chain 4 is the highest.
 *
 * The norms scale all numbers of a position by one factor and never change which is the greatest. The weights of the first
 * undo it, except at a mark, which has three ones in place of two: there the numbers above are four fifths as large. The
 * last is multiplied by `certainty`, so that one point is worth 30 and more: a temperature of 1 chooses the same tokens.
 */
import type { Family } from "./families.ts";
import { type Vocabulary, vocabularyOf } from "./vocabulary.ts";
import { type Fact, type Tensor, writeGguf } from "./write-gguf.ts";

export interface ChainModelOptions {
  /** When false, the value of the head is 0, so that the model does not see tool results. */
  readonly seesResults: boolean;
}

const place = { always: 0, nothing: 1, ended: 2, answer: 3, begin: 4 } as const;
const firstChainPlace = 5;
const headWidth = 16;
const feedForwardWidth = 32;
const slowest = headWidth - 1;
const certainty = 8;
const maxPromptChars = 65_536;

/** Returns the bytes of the model's GGUF file. */
export function writeChainModel(family: Family, { seesResults }: ChainModelOptions): Buffer {
  const vocabulary = vocabularyOf(family);
  const places = placesOf(vocabulary);
  const width = Math.ceil((firstChainPlace + places.size) / 32) * 32;
  return writeGguf(factsOf(family, vocabulary, width), [
    embeddings(family, vocabulary, places, width),
    vector("blk.0.attn_norm.weight", width, Math.sqrt(2 / width)),
    single("blk.0.attn_q.weight", [width, headWidth], { row: slowest, column: place.always, value: 8 }),
    single("blk.0.attn_k.weight", [width, headWidth], { row: slowest, column: place.ended, value: 20 }),
    single("blk.0.attn_v.weight", [width, headWidth], {
      row: 0,
      column: place.ended,
      value: seesResults ? 1 : 0,
    }),
    single("blk.0.attn_output.weight", [headWidth, width], { row: place.answer, column: 0, value: 1 }),
    vector("blk.0.ffn_norm.weight", width, 1),
    createMatrix("blk.0.ffn_gate.weight", width, feedForwardWidth).tensor,
    createMatrix("blk.0.ffn_up.weight", width, feedForwardWidth).tensor,
    createMatrix("blk.0.ffn_down.weight", feedForwardWidth, width).tensor,
    vector("output_norm.weight", width, certainty),
    outputs(family, vocabulary, places, width),
  ]);
}

/** Returns the embedding index for each token that the model writes and that another token follows. */
function placesOf({ call, answer }: Vocabulary): Map<number, number> {
  const written = [...call.slice(0, -1), ...answer.slice(0, -1)];
  return new Map(written.map((token, index) => [token, firstChainPlace + index]));
}

function embeddings(family: Family, vocabulary: Vocabulary, places: Map<number, number>, width: number) {
  const matrix = createMatrix("token_embd.weight", width, vocabulary.tokens.length);
  const begins = new Set(family.promptEnds.map(vocabulary.numberOf));
  for (const token of vocabulary.tokens.keys()) {
    const own = begins.has(token) ? place.begin : (places.get(token) ?? place.nothing);
    matrix.set(token, place.always, 1);
    matrix.set(token, own, 1);
  }
  matrix.set(vocabulary.numberOf(family.resultEnd), place.ended, 1);
  return matrix.tensor;
}

function outputs(family: Family, vocabulary: Vocabulary, places: Map<number, number>, width: number) {
  const matrix = createMatrix("output.weight", width, vocabulary.tokens.length);
  for (const chain of [vocabulary.call, vocabulary.answer]) {
    for (const [index, token] of chain.slice(0, -1).entries()) {
      matrix.set(chain[index + 1] ?? 0, places.get(token) ?? 0, 4);
    }
  }
  matrix.set(vocabulary.call[0] ?? 0, place.begin, 2);
  matrix.set(vocabulary.answer[0] ?? 0, place.begin, 1);
  matrix.set(vocabulary.answer[0] ?? 0, place.answer, 2);
  matrix.set(vocabulary.numberOf(family.ends.all), place.nothing, 4);
  return matrix.tensor;
}

function createMatrix(name: string, columns: number, rows: number) {
  const values = new Float32Array(columns * rows);
  const set = (row: number, column: number, value: number) => {
    values[row * columns + column] = value;
  };
  return { set, tensor: { name, shape: [columns, rows], values } satisfies Tensor };
}

/** Returns a tensor of zeros with one other value. */
function single(
  name: string,
  [columns, rows]: readonly [number, number],
  { row, column, value }: { readonly row: number; readonly column: number; readonly value: number },
): Tensor {
  const matrix = createMatrix(name, columns, rows);
  matrix.set(row, column, value);
  return matrix.tensor;
}

function vector(name: string, length: number, value: number): Tensor {
  return { name, shape: [length], values: new Float32Array(length).fill(value) };
}

function factsOf(family: Family, vocabulary: Vocabulary, width: number): Record<string, Fact> {
  const uint32 = (value: number): Fact => ({ type: "uint32", value });
  const token = (text: string): Fact => uint32(vocabulary.numberOf(text));
  return {
    "general.architecture": { type: "string", value: "llama" },
    "general.name": { type: "string", value: `Chain of ${family.name}` },
    "llama.context_length": uint32(maxPromptChars),
    "llama.embedding_length": uint32(width),
    "llama.block_count": uint32(1),
    "llama.feed_forward_length": uint32(feedForwardWidth),
    "llama.attention.head_count": uint32(1),
    "llama.attention.head_count_kv": uint32(1),
    "llama.attention.key_length": uint32(headWidth),
    "llama.attention.value_length": uint32(headWidth),
    "llama.attention.layer_norm_rms_epsilon": { type: "float32", value: 1e-6 },
    "llama.rope.dimension_count": uint32(headWidth),
    "llama.rope.freq_base": { type: "float32", value: 1e9 },
    "llama.vocab_size": uint32(vocabulary.tokens.length),
    "tokenizer.ggml.model": { type: "string", value: "gpt2" },
    "tokenizer.ggml.pre": { type: "string", value: "gpt-2" },
    "tokenizer.ggml.tokens": { type: "strings", value: vocabulary.tokens },
    "tokenizer.ggml.token_type": { type: "int32s", value: vocabulary.types },
    "tokenizer.ggml.merges": { type: "strings", value: [] },
    "tokenizer.ggml.bos_token_id": token(family.begin),
    "tokenizer.ggml.eos_token_id": token(family.ends.all),
    "tokenizer.ggml.eot_token_id": token(family.ends.turn),
    "tokenizer.ggml.eom_token_id": token(family.ends.message),
    "tokenizer.ggml.add_bos_token": { type: "bool", value: false },
    "tokenizer.chat_template": { type: "string", value: family.template },
  };
}
