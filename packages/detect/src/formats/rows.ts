/** The table of formats, specific ones before general ones. Each format has a file of the same name that reads and writes it. */

export interface Row {
  readonly title: string;
  /** Parts of model names, in lower case, without separators between family and version. */
  readonly models: readonly string[];
  /** Texts in the chat templates of models that write the format. Few other templates have them. */
  readonly marks: readonly string[];
}

/**
 * The rows by format id. If several formats have the same opener, the first that can read the text reads it. If a chat
 * template has the marks of several formats, the first is the model's format.
 */
export const rows = {
  "seed-oss": {
    title: "Function and parameter tags in <seed:tool_call>",
    models: ["seedoss"],
    marks: ["<seed:tool_call>"],
  },
  "minimax-m3": {
    title: "Tags after a mark, named like the parameters",
    models: ["minimaxm3"],
    marks: ["]<]minimax[>["],
  },
  minimax: { title: "Invoke and parameter tags", models: ["minimaxm2"], marks: ["<minimax:tool_call>"] },
  dsml: { title: "DSML tags", models: ["deepseekv3.2", "deepseekv4"], marks: ["｜DSML｜"] },
  step3: { title: "StepTML tags", models: ["step3"], marks: ["steptml:"] },
  glimmer: { title: "ATEM tags in a message to the tool", models: ["glimmer"], marks: ["atem:"] },
  glm: {
    title: "Pairs of arg_key and arg_value tags",
    models: ["glm", "laguna", "hunyuan3", "hy3"],
    marks: ["<arg_key>"],
  },
  "qwen-coder": {
    title: "Function and parameter tags in <tool_call>",
    models: ["qwen3coder", "qwen3.5", "qwen3.6", "qwen3.8", "nemotron3", "step3.5", "kexaone"],
    marks: ["<function="],
  },
  minicpm: { title: "Function and param tags without a frame", models: ["minicpm"], marks: ["<param name="] },
  deepseek: {
    title: "Names and JSON between fullwidth marks",
    models: ["deepseekv3", "deepseekr1", "deepseekv3.1", "cogito"],
    marks: ["<｜tool▁call"],
  },
  "kimi-k2": {
    title: "Ids and JSON between marks",
    models: ["kimik2", "kimilinear"],
    marks: ["<|tool_calls_section_begin|>"],
  },
  "kimi-k3": { title: "Open, close and sep marks", models: ["kimik3"], marks: ["<|open|>"] },
  harmony: { title: "Messages to functions", models: ["gptoss"], marks: ["<|channel|>"] },
  mistral: {
    title: "JSON after [TOOL_CALLS]",
    models: ["mistral", "ministral", "magistral", "devstral", "codestral"],
    marks: ["[TOOL_CALLS]"],
  },
  functiongemma: {
    title: "Gemma's object notation with escape tags",
    models: ["functiongemma"],
    marks: ["<start_function_call>"],
  },
  gemma: { title: "Gemma's object notation", models: ["gemma4"], marks: ['<|"|>'] },
  lfm2: { title: "Python calls between marks", models: ["lfm2"], marks: ["<|tool_call_start|>"] },
  olmo3: { title: "Python calls in <function_calls> tags", models: ["olmo3"], marks: ["<function_calls>"] },
  cohere: {
    title: "A list between action marks",
    models: ["commandr", "commanda"],
    marks: ["<|START_ACTION|>"],
  },
  internlm: {
    title: "JSON between action marks",
    models: ["internlm", "interns1"],
    marks: ["<|action_start|>"],
  },
  apertus: {
    title: "A list of objects whose key is the name",
    models: ["apertus"],
    marks: ["<|tools_prefix|>"],
  },
  longcat: { title: "JSON in <longcat_tool_call> tags", models: ["longcat"], marks: ["<longcat_tool_call>"] },
  nemotron: { title: "A list in <TOOLCALL> tags", models: ["nemotronnano"], marks: ["<TOOLCALL>"] },
  functools: { title: "A list after functools", models: ["phi4", "firefunction"], marks: ["functools["] },
  gigachat: { title: "JSON after a function call mark", models: ["gigachat"], marks: ["<|function_call|>"] },
  "tool-call-list": {
    title: "A list in <tool_calls> tags",
    models: ["jamba", "hunyuan", "apriel"],
    marks: ["<tool_calls>"],
  },
  granite: { title: "A list after <|tool_call|>", models: ["granite3"], marks: ["<|tool_call|>"] },
  inkling: { title: "JSON after an invoke mark", models: ["inkling"], marks: [] },
  hermes: {
    title: "JSON in <tool_call> tags",
    models: ["hermes", "qwen2", "qwen2.5", "qwen3", "qwq", "granite4", "mimo", "reka", "ernie", "trinity"],
    marks: ["<tool_call>"],
  },
  onyx: { title: "JSON in <tool> tags", models: [], marks: [] },
  llama3: { title: "JSON after <|python_tag|>", models: ["llama3", "llama4"], marks: ["<|python_tag|>"] },
  functionary: {
    title: "A name after >>>, or in a function tag, and JSON",
    models: ["functionary"],
    marks: [">>>"],
  },
  pythonic: { title: "A list of Python calls", models: ["llama3.2", "llama4", "toolace"], marks: [] },
  "morph-xml": { title: "A tag named like the tool, tags named like the arguments", models: [], marks: [] },
  "yaml-xml": { title: "A tag named like the tool, YAML inside", models: [], marks: [] },
  json: { title: "JSON in prose", models: ["llama3.1", "llama3.2", "llama3.3"], marks: [] },
  "json-list": { title: "A JSON list", models: ["xlam"], marks: [] },
  openai: { title: "The objects of the OpenAI API, as text", models: [], marks: [] },
  "tool-args": { title: "JSON with tool and args", models: [], marks: [] },
  "fenced-json": { title: "JSON in a code fence", models: [], marks: [] },
  "ralph-lines": { title: "Tool and Arguments lines", models: [], marks: [] },
  "name-call": { title: "A function call with one JSON object", models: [], marks: [] },
} as const satisfies { readonly [id: string]: Row };

/** The id of one way to write a tool call. */
export type FormatId = keyof typeof rows;

/** The format of a call: a row of the table, or the id of a `CustomFormat`. */
export type CallFormat = FormatId | `custom:${string}`;

export const formatIds = Object.keys(rows) as readonly FormatId[];
