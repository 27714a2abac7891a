/**
 * What docs/settings.md says of a setting where that is more than the `about` of its row. Only the script that writes the
 * page reads this file, so the program does not load it.
 */
import type { ConfigKey } from "./fields.ts";

export const settingDocs: Readonly<Partial<Record<ConfigKey, string>>> = {
  provider:
    "the provider of the model: `ollama`, `xai` and the others under [Models](../README.md#models); `custom`, `demo`",
  model: "the model's name on that server",
  num_ctx:
    "context window in tokens: requested from Ollama, and assumed of another local server that tells none (an older LM Studio, an unknown one), which is then asked before the first prompt. Without it a model of Ollama that is loaded keeps its window; another one gets 16,384, and in later runs the largest of 8,192, 16,384, 32,768 and 65,536 with which it was wholly in video memory: each run tries at most the next one, for a week.",
  keep_alive: 'how long Ollama keeps the model loaded: `"10m"`, `"-1"`, or seconds',
  thinking:
    "whether the model reasons first; a notice says where this has no effect ([servers.md](servers.md#thoughts-and-sampling))",
  sampling:
    'how tokens are picked, by model: `{"qwen3:8b": {"temperature": 0.6, "top_p": 0.95, "top_k": 20, "min_p": 0, "repeat_penalty": 1}}`; `"*"` is any other model. Each server gets the settings that it knows, under its names',
  profiles:
    'what suits single models, instead of what `localharness doctor` has found: `{"qwen3:8b": {"edits": "lines"}}` ([doctor.md](doctor.md#the-profile))',
  text_tool_calls:
    "which tool calls count: `auto` (native calls and calls in text), `native` (only native calls: text stays text), `text` (tools are described in the prompt, calls are read from text)",
  parallel_requests:
    "how many model calls of agents run at once: 1 for Ollama, LM Studio, llama.cpp and unknown local servers, else 4 ([agents.md](agents.md))",
  compact:
    "`auto`: old tool results and answers are left out of the prompt when the context window is nearly full ([context.md](context.md)); `ask`: such a turn ends, and you decide with `/compact`; `off`: such a turn ends with an error",
  index:
    "`auto`: the model gets the tools of the code index if this folder has one; `on`: always, and files are indexed as tools read and write them; `off`: never ([code-index.md](code-index.md))",
  index_see_also: "`true`: each result of `read_file` names up to five related definitions from the index",
  repository_map:
    "`on`: the system prompt names the most used definitions of an indexed folder; `auto`: in a window of 16,384 tokens or more ([code-index.md](code-index.md#repository-map))",
  embedding_model:
    "the model with which `search_code` also compares meanings ([code-index.md](code-index.md#search-by-meaning))",
  embedding_url:
    "the address of the embedding model's server; with `/v1` at the end it has the API of OpenAI",
  curator:
    "what `read_file` shows of a file of more than 100 lines: `off` the file from its beginning, `structure` its declarations, `on` the lines that the model chooses in a request beside the conversation, `auto` the same for files that do not fit into one result ([curator.md](curator.md))",
  diagnostics:
    "`off`: results of edits have no errors of language servers ([diagnostics.md](diagnostics.md))",
  output_summaries:
    "`true` adds a summary to each output of a command that is too long for a result, made by the model in a request beside the conversation ([curator.md](curator.md#long-outputs))",
  mode: "permission mode ([policy.md](policy.md))",
  tools:
    '`minimal`, `standard`, `all`, or a list of sets and tools, in which `-NAME` leaves a tool out (`["standard", "-bash"]`); without it `standard`, in a small window with shorter descriptions or `minimal` ([context.md](context.md))',
  "limits.calls_per_iteration":
    "tool calls of one answer that are taken at once; the others run after them, in order",
  "limits.iterations_per_turn": "iterations per turn, however much progress it makes",
  "limits.iterations_without_progress":
    "iterations in a row without progress that end a turn. Progress is a change made by a tool, or a result that is new in this turn",
  "limits.answer_characters":
    "characters of one answer, with its reasoning and the arguments of its calls; a longer one is cut there and the request is ended",
  "limits.first_token_seconds":
    "seconds to wait for the first token of an answer, 0 for no limit; a model may have to load and to read a long prompt",
  "limits.beside_seconds":
    "seconds for a request beside the conversation, such as one of the curator; a slow machine may need more ([curator.md](curator.md))",
  sessions: "whether sessions are saved on disk ([sessions.md](sessions.md))",
  sandbox:
    "whether commands run in a sandbox: `auto` when one is available, `require` always, `off` never ([security.md](security.md#the-sandbox))",
  sandbox_domains:
    'hosts that commands in the sandbox may reach (`["*.example.com"]`), and servers of this machine with their port (`localhost:4873`)',
  sandbox_writable: "further folders that commands in the sandbox may write to (`/srv/data`, `~/data`)",
  sandbox_readable:
    'further places of the home folder that commands in the sandbox may read (`["~/models"]`; [security.md](security.md#the-sandbox))',
  web_allow_private: "`true`: `web_fetch` may reach this machine and private networks ([web.md](web.md))",
  web_search_provider: "the service of `web_search` ([web.md](web.md#search))",
  mcp: "`off` starts no MCP server ([mcp.md](mcp.md))",
  mcp_wait_seconds: "how long the first message waits for a server whose tools are not known yet",
  theme:
    "colours of the screen; `auto` follows the terminal's background ([terminal.md](terminal.md#themes))",
  editor_keys:
    "the keys that edit a message on the screen, from the next start on ([terminal.md](terminal.md#vims-keys))",
  notify:
    "how the screen shows that a question waits or a turn has ended; `auto` follows the terminal ([terminal.md](terminal.md#notifications))",
  notify_when: "`away` (only while another window has the focus) or `always`",
  webhook:
    "address that `localharness serve` tells of questions and ended turns ([server.md](server.md#webhook))",
  idle_minutes:
    "minutes after which `localharness serve` closes a saved session that nobody watches and in which nothing runs, 0 for never",
  hooks: "programs that check calls ([hooks.md](hooks.md))",
  undo_megabytes: "megabytes of replaced and removed files kept for undo, 0 for none ([undo.md](undo.md))",
  snapshot_megabytes:
    "megabytes of files kept before commands, over all workspaces and sessions; 0 keeps none ([undo.md](undo.md))",
};
