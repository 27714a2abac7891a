/** The lowest floor: es.mjs as CommonJS with the compile cache, because the module system is part of the cost of a start. */
require("node:module").enableCompileCache();
const { readFileSync, writeFileSync } = require("node:fs");
const { request } = require("node:http");
const { StringDecoder } = require("node:string_decoder");

const [wire, base, prompt] = process.argv.slice(2);
const url = base + (wire === "ollama" ? "/api/chat" : "/v1/chat/completions");
const text = { type: "string" };
const tool = (name, description, ...keys) => ({
  type: "function",
  function: {
    name,
    description,
    parameters: {
      type: "object",
      properties: Object.fromEntries(keys.map((key) => [key, text])),
      required: keys,
    },
  },
});
const tools = [
  tool("read_file", "Read a file.", "path"),
  tool("write_file", "Write a file.", "path", "content"),
];
const messages = [
  { role: "system", content: "You are a coding agent." },
  { role: "user", content: prompt },
];

function post(body) {
  const headers = { "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    request(url, { method: "POST", headers }, resolve).on("error", reject).end(body);
  });
}

async function ask() {
  const stream = await post(JSON.stringify({ model: "fake-model", stream: true, messages, tools }));
  const decoder = new StringDecoder("utf8");
  const calls = [];
  let said = "";
  let isCall = false;
  let rest = "";
  for await (const chunk of stream) {
    rest += decoder.write(chunk);
    let start = 0;
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n", start)) {
      const line = rest.slice(start, end);
      start = end + 1;
      const json = wire === "ollama" ? line : line.startsWith("data: {") ? line.slice(6) : "";
      if (json === "") continue;
      const event = JSON.parse(json);
      const delta = wire === "ollama" ? event.message : event.choices[0]?.delta;
      if (delta?.content) {
        said += delta.content;
        if (said.length < 20) isCall = said.startsWith("<tool_call>");
        if (!isCall) process.stdout.write(delta.content);
      }
      for (const [place, part] of (delta?.tool_calls ?? []).entries()) {
        const index = part.index ?? place;
        calls[index] ??= { id: part.id, name: part.function.name, arguments: "" };
        if (typeof part.function.arguments === "object") calls[index].arguments = part.function.arguments;
        else calls[index].arguments += part.function.arguments ?? "";
      }
    }
    rest = rest.slice(start);
  }
  const written = /<tool_call>\n(.*)\n<\/tool_call>/s.exec(said);
  if (written) calls.push({ id: "call_0", ...JSON.parse(written[1]) });
  return { said, calls };
}

async function loop() {
  for (;;) {
    const { said, calls } = await ask();
    if (calls.length === 0) break;
    const toolCalls = calls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: call.arguments },
    }));
    messages.push({ role: "assistant", content: said, tool_calls: toolCalls });
    for (const call of calls) {
      const args = typeof call.arguments === "string" ? JSON.parse(call.arguments) : call.arguments;
      if (call.name === "write_file") writeFileSync(args.path, args.content);
      const content = call.name === "read_file" ? readFileSync(args.path, "utf8") : "written";
      messages.push({ role: "tool", tool_call_id: call.id, content });
    }
  }
  process.stdout.write("\n");
}

void loop();
