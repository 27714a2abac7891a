/** Writes docs/models.md from the table of model families. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { families, type ModelFamily } from "@localharness/harness/model-families";
import { formatsToTry } from "@localharness/models/formats-to-try";

const heading = `# Models

Every model with an address works. This table has what the makers of common families recommend, and the text format that is tried
first when a server does not pass on tool calls. \`npm run fix\` writes this page from \`packages/harness/src/models/model-profiles/families.ts\`.

- llama.cpp and LM Studio get the sampling of this table, because they start a model with values that are the same for all models. Ollama
  and vLLM take the maker's values from the model's own files, and providers choose theirs. The setting \`sampling\` overrides this.
- \`read\`: the row was read in the maker's publication. \`tried\`: \`localharness doctor\` has also run with the real weights. No row was
  tried so far. \`localharness doctor\` tries your model on your server and saves what it finds ([doctor.md](doctor.md)).

| family | such as | text format | sampling | source | known |
|---|---|---|---|---|---|
`;

export function modelsDoc(): string {
  return `${heading}${families.map(row).join("\n")}\n`;
}

function row({ title, example, sampling, source, known }: ModelFamily): string {
  const values = Object.entries(sampling).map(([name, value]) => `${name} ${value}`);
  const cells = [title, `\`${example}\``, formatsToTry(example)[0] ?? "", values.join(", "), source, known];
  return `| ${cells.join(" | ")} |`;
}

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, "../docs/models.md"), modelsDoc());
}
