/** The one table of formats, the more telling before the more general. What a format reads and writes is in the file named like it. */

/** What is known of a format before it is read or written. */
export interface Row {
  readonly id: string;
  readonly title: string;
  /** Parts of model names, in lower case, without separators between family and version. */
  readonly models: readonly string[];
  /** What stands in the chat template of a model that writes the format, and in few others. */
  readonly templateMarks: readonly string[];
}

/**
 * Of several formats with one opener the first that can read what follows takes it; of several whose marks stand in a chat
 * template the first is the model's.
 */
export const rows = [
  {
    id: "seed-oss",
    title: "Function and parameter tags in <seed:tool_call>",
    models: ["seedoss"],
    templateMarks: ["<seed:tool_call>"],
  },
  {
    id: "minimax-m3",
    title: "Tags behind a mark, named like the parameters",
    models: ["minimaxm3"],
    templateMarks: ["]<]minimax[>["],
  },
  {
    id: "minimax",
    title: "Invoke and parameter tags",
    models: ["minimaxm2"],
    templateMarks: ["<minimax:tool_call>"],
  },
  { id: "dsml", title: "DSML tags", models: ["deepseekv3.2", "deepseekv4"], templateMarks: ["｜DSML｜"] },
  { id: "step3", title: "StepTML tags", models: ["step3"], templateMarks: ["steptml:"] },
  {
    id: "glimmer",
    title: "ATEM tags in a message to the tool",
    models: ["glimmer"],
    templateMarks: ["atem:"],
  },
  {
    id: "glm",
    title: "Pairs of arg_key and arg_value tags",
    models: ["glm", "laguna", "hunyuan3", "hy3"],
    templateMarks: ["<arg_key>"],
  },
  {
    id: "qwen-coder",
    title: "Function and parameter tags in <tool_call>",
    models: ["qwen3coder", "qwen3.5", "qwen3.6", "qwen3.8", "nemotron3", "step3.5", "kexaone"],
    templateMarks: ["<function="],
  },
  {
    id: "minicpm",
    title: "Function and param tags without a frame",
    models: ["minicpm"],
    templateMarks: ["<param name="],
  },
  {
    id: "deepseek",
    title: "Names and JSON between fullwidth marks",
    models: ["deepseekv3", "deepseekr1", "deepseekv3.1", "cogito"],
    templateMarks: ["<｜tool▁call"],
  },
  {
    id: "kimi-k2",
    title: "Ids and JSON between marks",
    models: ["kimik2", "kimilinear"],
    templateMarks: ["<|tool_calls_section_begin|>"],
  },
  { id: "kimi-k3", title: "Open, close and sep marks", models: ["kimik3"], templateMarks: ["<|open|>"] },
  { id: "harmony", title: "Messages to functions", models: ["gptoss"], templateMarks: ["<|channel|>"] },
  {
    id: "mistral",
    title: "JSON behind [TOOL_CALLS]",
    models: ["mistral", "ministral", "magistral", "devstral", "codestral"],
    templateMarks: ["[TOOL_CALLS]"],
  },
  {
    id: "functiongemma",
    title: "Gemma's object notation with escape tags",
    models: ["functiongemma"],
    templateMarks: ["<start_function_call>"],
  },
  { id: "gemma", title: "Gemma's object notation", models: ["gemma4"], templateMarks: ['<|"|>'] },
  {
    id: "lfm2",
    title: "Python calls between marks",
    models: ["lfm2"],
    templateMarks: ["<|tool_call_start|>"],
  },
  {
    id: "olmo3",
    title: "Python calls in <function_calls> tags",
    models: ["olmo3"],
    templateMarks: ["<function_calls>"],
  },
  {
    id: "cohere",
    title: "A list between action marks",
    models: ["commandr", "commanda"],
    templateMarks: ["<|START_ACTION|>"],
  },
  {
    id: "internlm",
    title: "JSON between action marks",
    models: ["internlm", "interns1"],
    templateMarks: ["<|action_start|>"],
  },
  {
    id: "apertus",
    title: "A list of objects whose key is the name",
    models: ["apertus"],
    templateMarks: ["<|tools_prefix|>"],
  },
  {
    id: "longcat",
    title: "JSON in <longcat_tool_call> tags",
    models: ["longcat"],
    templateMarks: ["<longcat_tool_call>"],
  },
  {
    id: "nemotron",
    title: "A list in <TOOLCALL> tags",
    models: ["nemotronnano"],
    templateMarks: ["<TOOLCALL>"],
  },
  {
    id: "functools",
    title: "A list behind functools",
    models: ["phi4", "firefunction"],
    templateMarks: ["functools["],
  },
  {
    id: "gigachat",
    title: "JSON behind a function call mark",
    models: ["gigachat"],
    templateMarks: ["<|function_call|>"],
  },
  {
    id: "tool-call-list",
    title: "A list in <tool_calls> tags",
    models: ["jamba", "hunyuan", "apriel"],
    templateMarks: ["<tool_calls>"],
  },
  {
    id: "granite",
    title: "A list behind <|tool_call|>",
    models: ["granite3"],
    templateMarks: ["<|tool_call|>"],
  },
  { id: "inkling", title: "JSON behind an invoke mark", models: ["inkling"], templateMarks: [] },
  {
    id: "hermes",
    title: "JSON in <tool_call> tags",
    models: ["hermes", "qwen2", "qwen2.5", "qwen3", "qwq", "granite4", "mimo", "reka", "ernie", "trinity"],
    templateMarks: ["<tool_call>"],
  },
  { id: "onyx", title: "JSON in <tool> tags", models: [], templateMarks: [] },
  {
    id: "llama3",
    title: "JSON behind <|python_tag|>",
    models: ["llama3", "llama4"],
    templateMarks: ["<|python_tag|>"],
  },
  {
    id: "functionary",
    title: "A name behind >>>, or in a function tag, and JSON",
    models: ["functionary"],
    templateMarks: [">>>"],
  },
  {
    id: "pythonic",
    title: "A list of Python calls",
    models: ["llama3.2", "llama4", "toolace"],
    templateMarks: [],
  },
  {
    id: "morph-xml",
    title: "A tag named like the tool, tags named like the arguments",
    models: [],
    templateMarks: [],
  },
  { id: "yaml-xml", title: "A tag named like the tool, YAML inside", models: [], templateMarks: [] },
  { id: "json", title: "JSON in prose", models: ["llama3.1", "llama3.2", "llama3.3"], templateMarks: [] },
  { id: "json-list", title: "A JSON list", models: ["xlam"], templateMarks: [] },
  { id: "openai", title: "The objects of the OpenAI API, as text", models: [], templateMarks: [] },
  { id: "tool-args", title: "JSON with tool and args", models: [], templateMarks: [] },
  { id: "fenced-json", title: "JSON in a code fence", models: [], templateMarks: [] },
  { id: "ralph-lines", title: "Tool and Arguments lines", models: [], templateMarks: [] },
  { id: "name-call", title: "A function call with one JSON object", models: [], templateMarks: [] },
] as const satisfies readonly Row[];

/** The id of one way to write a tool call. */
export type FormatId = (typeof rows)[number]["id"];
