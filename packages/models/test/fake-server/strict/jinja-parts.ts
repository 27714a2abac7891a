/** Declares types for the parts of the Jinja library that are used, because its own declarations do not resolve here. */
import { Environment as environment, Interpreter as interpreter, parse, tokenize } from "@huggingface/jinja";

/** A node of a parsed template. */
export interface Step {
  readonly type: string;
}

/** A value while a template runs. */
export interface Value {
  readonly type: string;
  readonly value: unknown;
  toString(): string;
}

export interface Environment {
  set(name: string, value: unknown): Value;
}

export interface Interpreter {
  run(program: Step): Value;
  evaluate(step: Step | undefined, environment: Environment): Value;
}

export const Environment: new (parent?: Environment) => Environment = environment;
export const Interpreter: new (environment: Environment) => Interpreter = interpreter;

export function parseProgram(source: string): Step {
  // The servers trim the same whitespace around blocks.
  return parse(tokenize(source.replace(/\n$/, ""), { lstrip_blocks: true, trim_blocks: true }));
}
