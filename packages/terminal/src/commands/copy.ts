/** `/copy`: puts the last answer, or one of its code blocks, into the clipboard. */
import { countText, joinedLine, sizeText } from "@localharness/protocol";
import type { App, CommandRuns } from "../app.ts";
import { selectList } from "../dialogs/select-list.ts";
import { type CodeBlock, codeBlocks } from "../markdown/code-blocks.ts";
import { maxCopiedBytes } from "../screen/clipboard.ts";

export const copyCommand = {
  copy(app, rest) {
    const answer = app.items().findLast((item) => item.kind === "answer");
    if (answer === undefined) return app.say("there is no answer to copy yet", "warning");
    const choices = choicesOf(answer.text);
    if (rest !== "") return copyBlock(app, choices, rest);
    const [whole] = choices;
    if (choices.length > 2) chooseOne(app, choices);
    else if (whole !== undefined) copyOne(app, whole);
  },
} satisfies CommandRuns;

interface Choice {
  readonly name: string;
  readonly text: string;
}

/** Returns the parts of an answer that can be copied: the whole answer, then each code block. */
function choicesOf(answer: string): readonly Choice[] {
  const named = ({ language }: CodeBlock, at: number) =>
    `code block ${at + 1}${language === "" ? "" : ` (${language.slice(0, 20)})`}`;
  const blocks = codeBlocks(answer).map((block, at) => ({ name: named(block, at), text: block.code }));
  return [{ name: "the last answer", text: answer }, ...blocks];
}

function copyBlock(app: App, choices: readonly Choice[], rest: string): void {
  const number = /^[1-9]\d{0,4}$/.test(rest) ? Number(rest) : 0;
  const choice = number === 0 ? undefined : choices[number];
  if (choice !== undefined) {
    copyOne(app, choice);
    return;
  }
  const count = countText(choices.length - 1, "code block");
  app.say(`the last answer has ${count}: /copy, /copy NUMBER`, "warning");
}

function chooseOne(app: App, choices: readonly Choice[]): void {
  app.open(
    selectList({
      title: "Copy",
      empty: "nothing to copy",
      enter: "copies it",
      load: async () =>
        choices.map(({ name, text }, at) => ({
          id: String(at),
          label: name,
          about: `${sizeText(Buffer.byteLength(text))} · ${joinedLine(text.slice(0, 200))}`,
        })),
      onEnter(row, list) {
        list.close();
        const choice = choices[Number(row.id)];
        if (choice !== undefined) copyOne(app, choice);
      },
    }),
  );
}

function copyOne(app: App, { name, text }: Choice): void {
  const size = sizeText(Buffer.byteLength(text));
  if (app.copy(text)) {
    app.say(`copied ${name}, ${size}, to the terminal's clipboard`);
    return;
  }
  const most = `a terminal takes at most ${sizeText(maxCopiedBytes)}`;
  app.say(`${name} has ${size}, ${most}: /export writes the session to a file`, "warning");
}
