/** Replies that are a series of messages: what ends in the middle of a mark. */
import { formatContract, reasoning, text } from "../format-contract.ts";

formatContract("messages that break off inside a mark", [
  {
    name: "half a mark behind an answer is dropped",
    text: "<|start|>assistant to=user<|message|>It is done.<|st",
    events: [text("It is done.")],
  },
  {
    name: "half an end mark behind a thought is dropped",
    text: "<|channel|>analysis<|message|>Hm.<|en",
    events: [reasoning("Hm.")],
  },
  {
    name: "what only begins like a mark stays",
    text: "<|channel|>final<|message|>In F# it is <|sum",
    events: [text("In F# it is <|sum")],
  },
  { name: "outside of a message it stays", text: "It is done.<|en", events: [text("It is done.<|en")] },
]);
