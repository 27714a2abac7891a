/** Checks the editor: lines, history, pastes, completion, `!` commands, and messages during a turn. */
import { describe, expect, test } from "vitest";
import { hangMs } from "../measures.ts";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { enterKey, openTerminal } from "./open-terminal.ts";

const server = await serveModel();

interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** Returns the person's messages in the model's last request. */
function messages(): readonly string[] {
  const body = server.chats.at(-1)?.body as ChatBody | undefined;
  return (body?.messages ?? []).filter(({ role }) => role === "user").map(({ content }) => content);
}

const sent = () => messages().at(-1) ?? "";

describe.skipIf(!hasScript())("the editor (needs util-linux script)", () => {
  test("several lines, history across starts", async () => {
    const place = makePlace();
    server.use({ turns: [{ text: "One." }, { text: "Two." }] });
    const terminal = await openTerminal({ server, place });
    terminal.type(`first 🍃\\${enterKey}second`);
    terminal.press("alt+enter");
    terminal.type("third\r");
    await terminal.waitFor("One.");
    expect(sent()).toBe("first 🍃\nsecond\nthird");
    terminal.press("ctrl+d");
    await terminal.ended();
    terminal.close();
    const next = await openTerminal({ server, place });
    await next.settled();
    next.press("up");
    await next.waitFor("third");
    next.press("enter");
    await next.waitFor("One.");
    expect(sent()).toBe("first 🍃\nsecond\nthird");
    next.close();
  });

  test("Ctrl+C puts a draft aside, leaves only when pressed twice in a row, and ↑ brings the draft back", async () => {
    const place = makePlace();
    server.use({ turns: [{ text: "Done." }] });
    const terminal = await openTerminal({ server, place });
    terminal.type("a first draft");
    await terminal.waitFor("a first draft");
    terminal.press("ctrl+c");
    await terminal.until("an empty editor", () => !terminal.screen().includes("a first draft"));
    terminal.type("x");
    await terminal.until("the next key", () => !terminal.screen().includes("Ctrl+C again leaves"));
    terminal.press("ctrl+c");
    await terminal.waitFor("Ctrl+C again leaves");
    terminal.press("up");
    await terminal.waitFor("x");
    terminal.press("up");
    await terminal.waitFor("a first draft");
    terminal.press("ctrl+u");
    await terminal.until("a cleared line", () => !terminal.screen().includes("a first draft"));
    terminal.press("ctrl+c");
    terminal.press("ctrl+c");
    await terminal.ended();
    terminal.close();
    const next = await openTerminal({ server, place });
    await next.settled();
    next.press("up");
    next.press("up");
    await next.waitFor("a first draft");
    next.type(" goes on\r");
    await next.waitFor("Done.");
    expect(sent()).toBe("a first draft goes on");
    next.close();
  });

  test("a large paste is folded and sent in full; Backspace removes it as a whole", async () => {
    const text = Array.from({ length: 1_234 }, (_, index) => `line ${index}`).join("\n");
    server.use({ turns: [{ text: "Read." }] });
    const terminal = await openTerminal({ server });
    terminal.type("look: ");
    terminal.paste("x".repeat(2_000));
    await terminal.waitFor("[Pasted 2000 characters #1]");
    terminal.press("backspace");
    await terminal.until("deletion", () => !terminal.screen().includes("Pasted"));
    terminal.paste(text);
    await terminal.waitFor("look: [Pasted 1,234 lines #2]");
    terminal.paste("small\npaste");
    await terminal.waitFor("paste");
    terminal.press("enter");
    await terminal.waitFor("Read.");
    expect(sent()).toBe(`look: ${text}small\npaste`);
    terminal.close();
  });

  test("a large paste recalled from the history is sent in full, or not at all", async () => {
    const place = makePlace();
    const text = Array.from({ length: 50 }, (_, index) => `row ${index}`).join("\n");
    server.use({ turns: [{ text: "One." }, { text: "Two." }] });
    const terminal = await openTerminal({ server, place });
    terminal.type("look: ");
    terminal.paste(text);
    await terminal.waitFor("look: [Pasted 50 lines #1]");
    terminal.press("enter");
    await terminal.waitFor("One.");
    terminal.press("up");
    await terminal.waitFor(/─\nlook: \[Pasted 50 lines #1\]/, 4 * hangMs);
    terminal.press("enter");
    await terminal.waitFor("Two.");
    expect(sent()).toBe(`look: ${text}`);
    terminal.press("ctrl+d");
    await terminal.ended();
    terminal.close();
    const next = await openTerminal({ server, place });
    await next.settled();
    next.press("up");
    await next.waitFor("look: [Pasted");
    const asked = server.chats.length;
    next.press("enter");
    await next.waitFor("is no longer available");
    await next.waitFor(/─\nlook: \[Pasted 50 lines #1\]/, 4 * hangMs);
    expect(server.chats.length).toBe(asked);
    next.close();
  });

  test("text put into the editor or a note never controls the terminal", async () => {
    const place = makePlace();
    const evil = "A\u001b]0;OWNED\u0007B\u009b2J\u202eC\u001b[5mD";
    const write = { name: "write_file", arguments: { path: "a.txt", content: "x" } };
    server.use({ turns: [{ text: "One." }] });
    const terminal = await openTerminal({ server, place });
    terminal.paste(`${evil}\n${"l\n".repeat(12)}`);
    await terminal.waitFor("[Pasted");
    terminal.press("enter");
    await terminal.waitFor("One.");
    const before = terminal.bytes().length;
    terminal.press("esc");
    await terminal.waitFor("Esc again");
    await terminal.pressTwice("esc", "Go back to");
    terminal.press("enter");
    await terminal.until("text in the editor", () => /\nl *\n/.test(terminal.screen()));
    terminal.press("ctrl+c");
    await terminal.settled();
    server.use({ turns: [{ calls: [write] }, { text: "Done." }] });
    terminal.type("go\r");
    await terminal.waitFor("Permission Request");
    terminal.paste(evil);
    await terminal.waitFor("[1] Allow Once");
    terminal.press("4");
    await terminal.waitFor("What should");
    terminal.paste(evil);
    await terminal.waitFor("A]0;OWNEDB2JC[5mD");
    terminal.press("enter");
    await terminal.waitFor("Done.");
    await terminal.waitFor(/─\nA\]0;OWNEDB2JC\[5mD/);
    for (const raw of ["\u001b]0;", "\u009b", "\u202e", "\u001b[5m"])
      expect(terminal.bytes().slice(before)).not.toContain(raw);
    terminal.close();
  });

  test("messages typed while another session opens go to that session; Enter twice opens it once", async () => {
    server.use({ turns: [{ text: "One." }] });
    const terminal = await openTerminal({ server });
    terminal.type("first words\r");
    await terminal.waitFor("One.");
    terminal.type(`/clear${enterKey}hello again\r`);
    await terminal.waitFor(/started a new session[\s\S]*› hello again[\s\S]*One\./);
    expect(messages()).toEqual(["hello again"]);
    terminal.type("/resume\r");
    await terminal.waitFor("▸ first words");
    terminal.press("enter", "enter");
    await terminal.until("session", () => !terminal.screen().includes("Esc closes"));
    await terminal.settled();
    terminal.type("/tree\r");
    await terminal.settled();
    expect(terminal.everything()).not.toContain("Branches of this session");
    terminal.close();
  });

  test("messages for a session that cannot be opened come back before the draft that was typed meanwhile", async () => {
    server.use({ turns: [{ text: "One." }] });
    const terminal = await openTerminal({ server });
    terminal.type(`/resume no-such${enterKey}queued${enterKey}newer draft`);
    await terminal.waitFor(/no-such[\s\S]*\nqueued *\n *\nnewer draft/);
    expect(server.chats).toHaveLength(0);
    terminal.press("enter");
    await terminal.waitFor("One.");
    expect(messages()).toEqual(["queued\n\nnewer draft"]);
    terminal.close();
  });

  test("a paste of 50 MB stays responsive and its size is shown", async () => {
    server.use({ turns: [{ text: "Much." }], withoutBodies: true });
    const terminal = await openTerminal({ server });
    terminal.paste(`${"0123456789 abcdef\n".repeat(2_950_000)}`);
    await terminal.waitFor(/\[Pasted 2,950,001 lines, 5\d\.\d MB #1\]/, 4 * hangMs);
    const drawn = terminal.bytes().length;
    terminal.type("X");
    await terminal.waitFor("#1]X");
    expect(terminal.bytes().length - drawn).toBeLessThan(20_000);
    terminal.press("ctrl+c");
    await terminal.until("clearing", () => !terminal.screen().includes("Pasted"));
    terminal.type("\u0003\u0003");
    expect(await terminal.ended()).toBe(0);
    terminal.close();
  });

  test("@ completes paths, / completes commands", async () => {
    const place = makePlace({
      "src/teapot.ts": "x",
      "docs/notes.md": "y",
      ".gitignore": "hidden.txt\n",
      "hidden.txt": "z",
    });
    server.use({ turns: [{ text: "Read." }, { text: "Read again." }] });
    const terminal = await openTerminal({ server, place });
    terminal.type("see @teap");
    await terminal.waitFor("→ src/teapot.ts");
    terminal.press("tab");
    await terminal.waitFor("see @src/teapot.ts");
    terminal.press("enter");
    await terminal.waitFor("Read.");
    expect(messages()).toEqual([
      "see @src/teapot.ts",
      'The file "src/teapot.ts", which the person attached, as read_file returns it:\n1: x',
    ]);
    terminal.type("and @docs/notes.md");
    await terminal.waitFor("→ docs/notes.md");
    await terminal.waitFor("attaches docs/notes.md");
    terminal.press("enter");
    await terminal.waitFor("Read again.");
    terminal.type("/mode");
    await terminal.waitFor("→ /mode");
    terminal.press("enter");
    await terminal.waitFor("mode is default; available");
    terminal.type("/qu");
    await terminal.waitFor("→ /quit");
    terminal.press("enter");
    expect(await terminal.ended()).toBe(0);
    terminal.close();
  });

  test("!command runs at once, and the next message tells the model", async () => {
    server.use({ turns: [{ text: "I know." }] });
    const terminal = await openTerminal({ server });
    terminal.type("!echo $((6*7)) leaves\r");
    await terminal.waitFor("42 leaves");
    await terminal.until("end", () => !terminal.screen().includes("Esc stops it"));
    terminal.type("what did I run?\r");
    await terminal.waitFor("I know.");
    expect(sent()).toContain("42 leaves");
    expect(sent()).toMatch(/what did I run\?$/);
    terminal.close();
  });

  test("a !command that does not end shows its output, and Esc stops it", async () => {
    const terminal = await openTerminal({ server });
    terminal.type("!echo begun; sleep 60\r");
    await terminal.waitFor(/begun[\s\S]*Esc stops it/);
    terminal.press("esc");
    await terminal.until("end", () => !terminal.screen().includes("Esc stops it"));
    expect(terminal.screen()).toContain("! echo begun; sleep 60");
    terminal.close();
  });

  test("Esc twice goes back to an earlier message, which is edited and sent in a branch", async () => {
    server.use({ turns: [{ text: "One." }, { text: "Two." }] });
    const terminal = await openTerminal({ server });
    terminal.type("first question\r");
    await terminal.waitFor("One.");
    terminal.type("second question\r");
    await terminal.waitFor("Two.");
    terminal.press("esc");
    await terminal.waitFor("Esc again");
    await terminal.pressTwice("esc", "Go back to before which message?");
    terminal.press("enter");
    await terminal.until("edit", () => /\nsecond question *\n─/.test(terminal.screen()));
    server.use({ turns: [{ text: "One." }, { text: "Another way." }] });
    terminal.type(" again\r");
    await terminal.waitFor("Another way.");
    expect(messages()).toEqual(["first question", "second question again"]);
    terminal.type("a draft");
    await terminal.pressTwice("esc", "Go back to before which message?");
    terminal.press("enter");
    await terminal.waitFor(/\nsecond question again *\n *\na draft *\n─/);
    terminal.close();
  });

  test("a message sent during a turn reaches the model in that turn", async () => {
    const call = { name: "ls", arguments: { path: "." } };
    server.use({ turns: [{ delayMs: 700, calls: [call] }, { text: "Steered." }] });
    const terminal = await openTerminal({ server });
    terminal.type("go\r");
    await terminal.waitFor("reading the prompt");
    terminal.type("and hurry\r");
    await terminal.waitFor("queued: and hurry");
    const screen = await terminal.waitFor("Steered.");
    expect(screen).toContain("› and hurry");
    expect(screen).not.toContain("queued");
    expect(sent()).toBe("and hurry");
    terminal.close();
  });
});
