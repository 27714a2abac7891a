import { detect, summarize } from "@localharness/detect";
import { optionsOf, readCases } from "./case.ts";
import { score } from "./score.ts";

const [fam, kinds, what = "exact", cap = "500", tools = ""] = process.argv.slice(2);
const fams = fam!.split(",");
for (const one of await readCases("/work/shared/corpus/toolcalls.jsonl")) {
  if (fam !== "all" && !fams.includes(one.family)) continue;
  if (!kinds!.split(",").includes(one.kind)) continue;
  const events = detect(one.text, optionsOf(one));
  const s = score(one, events);
  const bad =
    what === "exact"
      ? !s.exact || s.invented
      : what === "content"
        ? s.content === false
        : s.reasoning === false;
  if (!bad) continue;
  const sum = summarize(events);
  console.log(`--- ${one.family} ${one.kind} ${one.id.slice(-60)} ${one.starts_in_reasoning ? "SIR" : ""}`);
  console.log(JSON.stringify(one.text).slice(0, +cap));
  console.log(
    " want",
    JSON.stringify(one.expected.map((c) => [c.name, c.arguments])).slice(0, +cap),
    what === "exact" ? "" : "C:" + JSON.stringify(one.content) + " R:" + JSON.stringify(one.reasoning),
  );
  console.log(
    " got ",
    JSON.stringify(sum.calls.map((c) => [c.name, c.arguments, ...c.repairs])).slice(0, +cap),
    "T:" + JSON.stringify(sum.text).slice(0, +cap),
    sum.reasoning ? "R:" + JSON.stringify(sum.reasoning).slice(0, 200) : "",
    sum.errors.map((e) => e.reason + ":" + e.message).join("|"),
  );
  if (tools) console.log(" tools", JSON.stringify(one.tools.map((t) => t.function)).slice(0, 600));
}
