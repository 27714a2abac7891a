/**
 * Renders chat templates with a limit on steps and characters, so that no template runs forever. Adds what the library
 * lacks compared with the servers' renderers: `none` in sums, two filters, a fixed date.
 */
import { Environment, Interpreter, parseProgram, type Step, type Value } from "./jinja-parts.ts";

export interface ChatTemplate {
  readonly source: string;
  /** Returns the prompt. Throws `TemplateFailure`. */
  render(variables: Readonly<Record<string, unknown>>): string;
}

/** Thrown when a template fails to render. */
export class TemplateFailure extends Error {}

/** Thrown when a template exceeds the limit on steps or characters. */
export class TemplateOverrun extends TemplateFailure {}

/** Thrown when the template calls `raise_exception`. */
export class TemplateRefusal extends TemplateFailure {}

const mostSteps = 200_000;
const mostItems = 10_000;
const mostChars = 10_000_000;

type Node = Step | undefined;

/** Parses a template. Throws `TemplateFailure` for invalid text. */
export function parseTemplate(source: string): ChatTemplate {
  const program = guarded(() => parseProgram(source));
  return {
    source,
    render: (variables) =>
      guarded(() => String(new BoundedInterpreter(globals(variables)).run(program).value)),
  };
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TemplateFailure) throw error;
    throw new TemplateFailure(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function globals(variables: Readonly<Record<string, unknown>>): Environment {
  const env = new Environment();
  const named = { true: true, false: false, none: null, True: true, False: false, None: null };
  for (const [name, value] of Object.entries({ ...named, ...variables })) env.set(name, value);
  env.set("raise_exception", (message: unknown) => {
    throw new TemplateRefusal(String(message));
  });
  env.set("range", boundedRange);
  env.set("strftime_now", (format: string) => formatDate(format));
  return env;
}

function boundedRange(first: number, second?: number, step = 1): number[] {
  const [from, to] = second === undefined ? [0, first] : [first, second];
  const length = step === 0 ? 0 : Math.max(0, Math.ceil((to - from) / step));
  if (length > mostItems) throw new TemplateOverrun(`range of ${length} items, where ${mostItems} are taken`);
  return Array.from({ length }, (_, index) => from + index * step);
}

const dateParts: Readonly<Record<string, string>> = {
  "%Y": "2026",
  "%m": "01",
  "%d": "01",
  "%b": "Jan",
  "%B": "January",
  "%A": "Thursday",
  "%H": "12",
  "%M": "00",
  "%S": "00",
};

/** Returns a fixed date in the format, so that two prompts of one conversation can be compared. */
function formatDate(format: string): string {
  return format.replace(/%[a-zA-Z]/g, (part) => dateParts[part] ?? part);
}

class BoundedInterpreter extends Interpreter {
  #steps = 0;
  readonly #made = new WeakMap<Step, Value>();

  override evaluate(node: Node, environment: Environment): Value {
    if (node === undefined) return super.evaluate(node, environment);
    this.#steps += 1;
    if (this.#steps > mostSteps) throw new TemplateOverrun(`more than ${mostSteps} steps`);
    const made = this.#made.get(node);
    if (made !== undefined) return made;
    if (node.type === "BinaryExpression") return this.#combine(node, environment);
    if (node.type === "CallExpression" || node.type === "MemberExpression") {
      this.#needsObject(node, environment);
    }
    if (node.type === "FilterExpression") return this.#filter(node, environment);
    return super.evaluate(node, environment);
  }

  /** Evaluates `"a" + none` like the servers, and `x in none` to false. */
  #combine(node: Step, environment: Environment): Value {
    const operator: unknown = Reflect.get(Reflect.get(node, "operator"), "value");
    const ours = operator === "+" || operator === "~" || operator === "in" || operator === "not in";
    if (!ours) return super.evaluate(node, environment);
    const left = this.evaluate(part(node, "left"), environment);
    const right = this.evaluate(part(node, "right"), environment);
    if (right.type === "NullValue" && operator !== "+" && operator !== "~") {
      return this.#known(operator === "not in", environment);
    }
    const chars = lengthOf(left) + lengthOf(right);
    if (chars > mostChars) throw new TemplateOverrun(`a text of ${chars} characters`);
    if (isText(left, right)) return this.#known(written(left) + written(right), environment);
    return super.evaluate(
      like(node, { left: this.#holding(left), right: this.#holding(right) }),
      environment,
    );
  }

  /** Throws `TemplateFailure`, in a server's words, if the node calls a method or reads an index of `none`. */
  #needsObject(node: Step, environment: Environment): void {
    const callee = node.type === "CallExpression" ? part(node, "callee") : node;
    if (callee?.type !== "MemberExpression") return;
    const object = part(callee, "object");
    if (object?.type !== "Identifier" && object?.type !== "MemberExpression") return;
    if (this.evaluate(object, environment).type !== "NullValue") return;
    const property = part(callee, "property");
    const name = property === undefined ? "" : String(Reflect.get(property, "value"));
    if (node.type === "CallExpression") throw new TemplateFailure(`Trying to call method '${name}' on null`);
    if (property?.type === "IntegerLiteral") {
      throw new TemplateFailure(`Trying to access property '${name}' on null!`);
    }
  }

  #filter(node: Step, environment: Environment): Value {
    const filter = part(node, "filter");
    const name: unknown = filter === undefined ? undefined : Reflect.get(filter, "value");
    const operand = this.evaluate(part(node, "operand"), environment);
    if (name === "string" && operand.type !== "StringValue") {
      return this.#known(operand.toString(), environment);
    }
    if (name === "min" && operand.type === "ArrayValue") return least(operand);
    const nothing = operand.type === "NullValue" || operand.type === "UndefinedValue";
    if (name === "trim" && nothing) return this.#known("", environment);
    return super.evaluate(like(node, { operand: this.#holding(operand) }), environment);
  }

  #known(value: unknown, environment: Environment): Value {
    return new Environment(environment).set("known", value);
  }

  /** Returns a node with a known value. */
  #holding(value: Value): Step {
    const node: Step = { type: "Made" };
    this.#made.set(node, value);
    return node;
  }
}

function part(node: Step, key: string): Node {
  return Reflect.get(node, key);
}

function like(node: Step, changes: Readonly<Record<string, unknown>>): Step {
  return Object.assign(Object.create(Object.getPrototypeOf(node)), node, changes);
}

function lengthOf({ value }: Value): number {
  return typeof value === "string" ? value.length : 0;
}

function isText(left: Value, right: Value): boolean {
  const none = left.type === "NullValue" || right.type === "NullValue";
  return none && (left.type === "StringValue" || right.type === "StringValue");
}

function written(value: Value): string {
  return value.type === "NullValue" ? "None" : value.toString();
}

function least(operand: Value): Value {
  const items = operand.value as readonly Value[];
  return items.reduce((low, one) => (Number(one.value) < Number(low.value) ? one : low), items[0] as Value);
}
