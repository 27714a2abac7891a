/** Writes a GGUF file of version 3, which all engines of the llama.cpp family read: metadata, then tensors of 32-bit floats. */

/** A metadata value. Its form decides the type in the file. */
export type Fact =
  | { readonly type: "uint32"; readonly value: number }
  | { readonly type: "float32"; readonly value: number }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "int32s"; readonly value: readonly number[] }
  | { readonly type: "strings"; readonly value: readonly string[] };

export interface Tensor {
  readonly name: string;
  /** The length of a row, then the number of rows, in the order of the file. */
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

const version = 3;
const alignment = 32;
const float32Tensor = 0;
const typeNumbers = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const;

/** Returns the bytes of the file. */
export function writeGguf(facts: Readonly<Record<string, Fact>>, tensors: readonly Tensor[]): Buffer {
  const entries = Object.entries(facts);
  const head = [
    Buffer.from("GGUF"),
    uint32(version),
    uint64(tensors.length),
    uint64(entries.length),
    ...entries.flatMap(([key, fact]) => [text(key), factBytes(fact)]),
  ];
  let offset = 0;
  for (const { name, shape, values } of tensors) {
    const wanted = shape.reduce((product, length) => product * length, 1);
    if (wanted !== values.length) {
      throw new Error(`The tensor ${name} has to hold ${wanted} values; it holds ${values.length}.`);
    }
    head.push(text(name), uint32(shape.length), ...shape.map(uint64), uint32(float32Tensor), uint64(offset));
    offset += padded(values.byteLength);
  }
  return Buffer.concat([pad(Buffer.concat(head)), ...tensors.map(({ values }) => pad(floatBytes(values)))]);
}

function factBytes(fact: Fact): Buffer {
  switch (fact.type) {
    case "uint32":
      return Buffer.concat([uint32(typeNumbers.uint32), uint32(fact.value)]);
    case "float32":
      return Buffer.concat([uint32(typeNumbers.float32), floatBytes([fact.value])]);
    case "bool":
      return Buffer.concat([uint32(typeNumbers.bool), Buffer.from([fact.value ? 1 : 0])]);
    case "string":
      return Buffer.concat([uint32(typeNumbers.string), text(fact.value)]);
    case "int32s":
      return array(typeNumbers.int32, fact.value.map(int32));
    case "strings":
      return array(typeNumbers.string, fact.value.map(text));
  }
}

function array(type: number, items: readonly Buffer[]): Buffer {
  return Buffer.concat([uint32(typeNumbers.array), uint32(type), uint64(items.length), ...items]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function floatBytes(values: ArrayLike<number>): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (let at = 0; at < values.length; at += 1) bytes.writeFloatLE(values[at] ?? 0, at * 4);
  return bytes;
}

function padded(length: number): number {
  return Math.ceil(length / alignment) * alignment;
}

function pad(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(padded(bytes.length) - bytes.length)]);
}
