/** Gemma's object notation and its slips. */
import { call, formatContract } from "../format-contract.ts";

const written = { path: "a", content: 'b, {c} "d"', tags: ["x", "y"], options: { force: true } };

formatContract("gemma", [
  {
    name: "texts, a list and an object",
    text: '<|tool_call>call:write_file{path:<|"|>a<|"|>,content:<|"|>b, {c} "d"<|"|>,tags:[<|"|>x<|"|>,<|"|>y<|"|>],options:{force:true}}<tool_call|>',
    events: call(0, "gemma", "write_file", written),
  },
  {
    name: "a scalar where a text is wanted stays a text",
    text: "<|tool_call>call:read_file{path:007,offset:3}<tool_call|>",
    events: call(0, "gemma", "read_file", { path: "007", offset: 3 }),
  },
  {
    name: "a list that is closed by the object",
    text: '<|tool_call>call:write_file{path:<|"|>a<|"|>,content:<|"|>b<|"|>,tags:[<|"|>x<|"|>}<tool_call|>',
    events: call(
      0,
      "gemma",
      "write_file",
      { path: "a", content: "b", tags: ["x"] },
      { repairs: ["missing-closer"] },
    ),
  },
  {
    name: "ordinary quotes",
    text: "<|tool_call>call:read_file{path:'a b'}<tool_call|>",
    events: call(0, "gemma", "read_file", { path: "a b" }, { repairs: ["single-quotes"] }),
  },
]);
