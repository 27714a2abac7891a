/** Models that answer the trial of the doctor by fixed rules. */

export interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly unknown[];
}
export type Reply = string | { readonly native: readonly object[] } | { readonly status: number };

const order = { count: 3, urgent: true, labels: ["red", "blue"], address: { city: "Oslo" } };
const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) });
const saysWeather = (all: string) => /for Paris and for Rome/.test(all);
/** Returns true if the doctor asks which files a folder has; it then offers many tools. */
const asksFiles = (all: string) => /in the folder src\?/.test(all);
const wants = (all: string) => /list the files/.test(all);

/** The calls that make the change that the doctor asks for, by the name of the tool that it offers. */
const edits: Readonly<Record<string, object>> = {
  edit_file: { path: "fruit.txt", old_string: "yellow", new_string: "red" },
  replace_lines: { path: "fruit.txt", line_start: 2, line_end: 2, new_content: "pears: red" },
  write_file: { path: "fruit.txt", content: "apples: green\npears: red\nplums: blue\ngrapes: green" },
};

function editAsked(all: string): string | undefined {
  return all.includes("pears: yellow") ? /Use the tool (\w+)/.exec(all)?.[1] : undefined;
}

/** Returns the password that the prompt tells, or a sentence that there is none. */
function password(all: string): string {
  return /The password is (\w+)/.exec(all)?.[1] ?? "I see no password.";
}

/** Answers a request natively, as a model that calls tools does. */
function native(all: string, asked: Asked, args: object = order): Reply {
  if (/the password/.test(all)) return password(all);
  if (asked.tools === undefined) return "Hello.";
  if (asksFiles(all)) return { native: [call("ls", { path: "src" })] };
  const edit = editAsked(all);
  if (edit !== undefined) return { native: [call(edit, edits[edit] ?? {})] };
  if (saysWeather(all)) {
    return { native: [call("get_weather", { city: "Paris" }), call("get_weather", { city: "Rome" })] };
  }
  return /tool place_order/.test(all) ? { native: [call("place_order", args)] } : "Hello.";
}

type Write = (name: string, args: object) => string;
const hermes: Write = (name, args) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`;
const mistral: Write = (name, args) => `[TOOL_CALLS][${JSON.stringify({ name, arguments: args })}]`;

/** Returns a model that writes its calls as text, and only if the prompt shows a mark of the format. */
function written(mark: string, write: Write) {
  return (all: string): Reply => {
    if (/the password/.test(all)) return password(all);
    if (!all.includes(mark)) return "I cannot use tools here.";
    const edit = editAsked(all);
    if (edit !== undefined) return write(edit, edits[edit] ?? {});
    if (asksFiles(all)) return write("ls", { path: "src" });
    if (/TOOL RESULT|a\.txt/.test(all)) return "There is a.txt.";
    if (wants(all)) return write("ls", { path: "." });
    return saysWeather(all) ? write("get_weather", { city: "Paris" }) : write("place_order", order);
  };
}

/** Returns a model that writes its calls in two formats in turn, whatever it is told. */
function inTwoFormats(): (all: string) => Reply {
  let calls = 0;
  return written("", (name, args) => {
    calls += 1;
    return calls % 2 === 1 ? hermes(name, args) : mistral(name, args);
  });
}

export const models: Readonly<Record<string, (all: string, asked: Asked) => Reply>> = {
  native,
  hermes: written("<tool_call>", hermes),
  mistral: written("[TOOL_CALLS]", mistral),
  formats: inTwoFormats(),
  /** Its edits of a part of a file never fit the file. */
  whole: (all, asked) => {
    const edit = editAsked(all);
    if (edit === "edit_file") {
      return { native: [call(edit, { path: "fruit.txt", old_string: "pear = yellow", new_string: "red" })] };
    }
    if (edit === "replace_lines") return { native: [call(edit, { ...edits[edit], line_start: 1 })] };
    return native(all, asked);
  },
  lines: (all, asked) => (editAsked(all) === "edit_file" ? "I replaced the text." : native(all, asked)),
  /** It takes a wrong one of many tools. */
  lost: (all, asked) => {
    const many = (asked.tools?.length ?? 0) > 10;
    return asksFiles(all) && many ? { native: [call("get_current_time", {})] } : native(all, asked);
  },
  /** Its server keeps only the end of a longer prompt. */
  tiny: native,
  announces: (all, asked) => {
    if (/the password/.test(all)) return password(all);
    if (editAsked(all) !== undefined || asksFiles(all)) return native(all, asked);
    if (asked.tools === undefined) return /do not announce/.test(all) ? "No." : "Hello.";
    return /do not announce/.test(all) ? native(all, asked) : "I will now run the tool to place the order.";
  },
  types: (all, asked) => native(all, asked, { ...order, count: "three", urgent: "yes" }),
  opened: (all, asked) => {
    const answer = native(all, asked);
    return typeof answer === "string" ? `The person greets me.</think>${answer}` : answer;
  },
  broken: () => ({ status: 500 }),
  /** Its server fails at every request with tools, as with a broken chat template. */
  template: (all, asked) =>
    asked.tools === undefined ? written("<tool_call>", hermes)(all) : { status: 500 },
  /** Its server fails when it is asked to edit. */
  crashes: (all, asked) => (editAsked(all) === undefined ? native(all, asked) : { status: 500 }),
};

export const tinyTokens = 2_000;
