/** Checks each slash command in a real terminal: what it shows, what it saves, what the model's server receives. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { configure, makePlace, type Place } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { type Emulated, enterKey, isAttached, openTerminal, type TerminalOptions } from "./open-terminal.ts";

const server = await serveModel();

/** Opens a terminal for `run` and closes it in any case. */
async function onScreen(options: TerminalOptions, run: (terminal: Emulated) => Promise<void>): Promise<void> {
  const terminal = await openTerminal(options);
  try {
    await run(terminal);
  } finally {
    terminal.close();
  }
}

const configOf = (place: Place) => join(place.home, ".config", "localharness", "config.json");

function writeConfig(place: Place, config: object): void {
  mkdirSync(dirname(configOf(place)), { recursive: true });
  writeFileSync(configOf(place), JSON.stringify(config));
}

const readConfig = (place: Place) => JSON.parse(readFileSync(configOf(place), "utf8"));

describe.skipIf(!hasScript())("slash commands (needs util-linux script)", () => {
  test("commands that only show something", async () => {
    const look = { name: "ls", arguments: { path: "." } };
    server.use({
      turns: [{ calls: [look] }, { text: "An empty folder." }],
    });
    await onScreen({ server, rows: 70 }, async (terminal) => {
      const ask = async (line: string, text: string | RegExp) => {
        terminal.type(`${line}\r`);
        return terminal.waitFor(text);
      };
      await ask("look around", "An empty folder.");
      await ask("/cost", /fake-model: 2 requests, \d+ tokens in/);
      expect(terminal.screen()).toMatch(/tools: 1 call, /);
      expect(await ask("/context", "total, estimated")).toMatch(/~\d+ +\d+ B +system prompt/);
      expect(terminal.screen()).toMatch(/results of ls \(1\)/);
      await ask("/tasks", "the model has no tasks");
      expect(await ask("/bug", "None of this was sent")).toMatch(/model fake-model of custom/);
      await ask("/etc/hosts names this machine", "› /etc/hosts names this machine");
      await ask("/modle", "unknown command /modle. Did you mean /model?");
      await ask("/mode paln", "there is no mode paln: mode is default; available: default, plan,");
      await ask("/mode plan", "mode plan");
      await ask("/toggle-toolcall-json", "tool calls are shown as JSON");
      await ask("/help", "Keys and commands");
      await terminal.waitFor("/toggle-toolcall-json");
      terminal.type("/theme");
      await terminal.waitFor("/theme█");
      terminal.press("enter");
      await terminal.waitFor("n N next");
      terminal.press("q");
      await terminal.waitFor("? /help lists the commands.");
      await ask("/quit", "code=0");
    });
  });

  test("/config: checks and saves a change, and the next start shows it; a theme applies at once", async () => {
    const place = makePlace();
    writeConfig(place, { num_predict: 100 });
    await onScreen({ server, place, rows: 40, env: { COLORTERM: "truecolor" } }, async (terminal) => {
      terminal.type("/config\r");
      await terminal.waitFor("Settings");
      terminal.type("num_pre");
      await terminal.waitFor("▸ num_predict");
      terminal.press("enter");
      await terminal.waitFor("Enter saves it");
      terminal.type("x\r");
      await terminal.waitFor('"num_predict" expects a whole number');
      expect(readConfig(place)).toEqual({ num_predict: 100 });
      terminal.press("ctrl+u");
      terminal.type("200\r");
      await terminal.waitFor("saved: num_predict = 200");
      expect(readConfig(place)).toEqual({ num_predict: 200 });
      terminal.press("ctrl+u");
      terminal.paste("theme");
      await terminal.waitFor("▸ theme");
      terminal.press("enter", "enter");
      await terminal.waitFor("saved: theme = dark");
      expect(readConfig(place)).toEqual({ num_predict: 200, theme: "dark" });
      terminal.press("esc");
      await terminal.until("end of the dialog", () => !/Esc closes|Settings {2}/.test(terminal.screen()));
      expect(terminal.bytes()).toContain("\u001b[38;2;143;150;158m");
      terminal.press("ctrl+d");
      await terminal.ended();
    });
    await onScreen({ server, place, rows: 40, env: { COLORTERM: "truecolor" } }, async (terminal) => {
      expect(terminal.bytes()).toContain("\u001b[38;2;143;150;158m");
      terminal.type(`/config${enterKey}num_pre`);
      await terminal.waitFor(/▸ num_predict +200 +config\.json/);
      terminal.press("delete");
      await terminal.waitFor("num_predict removed from config.json");
      expect(readConfig(place)).toEqual({ theme: "dark" });
    });
  });

  test("/tools: a tool switched off is off from the next message on, also after the next start", async () => {
    server.use({ turns: [{ text: "First." }, { text: "Second." }] });
    const place = makePlace();
    await onScreen({ server, place, rows: 40 }, async (terminal) => {
      terminal.type("one\r");
      await terminal.waitFor("First.");
      terminal.type(`/tools${enterKey}bash`);
      await terminal.waitFor("▸ [x] bash");
      terminal.press("enter");
      await terminal.waitFor("▸ [ ] bash");
      terminal.press("esc");
      await terminal.until("end of the dialog", () => !/Esc closes|Settings {2}/.test(terminal.screen()));
      terminal.type("two\r");
      await terminal.waitFor("Second.");
      terminal.type("/tools nothing on\r");
      await terminal.waitFor("there is no tool named");
    });
    const offered = server.chats.map(({ body }) => JSON.stringify(body?.["tools"]).includes('"name":"bash"'));
    expect(offered).toEqual([true, false]);
    expect(readConfig(place).tools).toEqual(["standard", "-bash"]);
    await onScreen({ server, place, rows: 40 }, async (terminal) => {
      terminal.type(`/tools${enterKey}bash`);
      await terminal.waitFor("▸ [ ] bash");
    });
    const args = ["--base-url", server.baseUrl, "--model", "/home/private/leaf.gguf", "--tools", "minimal"];
    await onScreen({ place, args }, async (terminal) => {
      terminal.type("/tools ls off\r");
      await terminal.waitFor("ls is off");
      terminal.type("/bug\r");
      await terminal.waitFor(/model leaf\.gguf of custom[\s\S]*, 5 tools: read_file, grep/);
    });
    // A choice by option applies to that run only.
    expect(readConfig(place).tools).toEqual(["standard", "-bash", "-ls"]);
    await onScreen({ server, place, rows: 40 }, async (terminal) => {
      for (const name of ["bash", "ls"]) {
        terminal.type(`/tools ${name} on\r`);
        await terminal.waitFor(`${name} is on`);
      }
    });
    expect(readConfig(place).tools).toBeUndefined();
  });

  test("/model: lists the server's models, and the next request goes to the chosen one", async () => {
    const models = [
      { name: "fake-model", contextLength: 32_768 },
      { name: "second/model", contextLength: 8_192 },
      { name: "evil\u001b[2J\u202e" },
    ];
    server.use({ models, turns: [{ text: "First." }, { text: "Second." }, { text: "Third." }] });
    await onScreen({ server, rows: 30 }, async (terminal) => {
      terminal.type("/model second/model\r");
      await terminal.waitFor(/^second\/model · /m);
      terminal.type("/model fake-model\r");
      await terminal.waitFor(/^fake-model · /m);
      terminal.type("one\r");
      await terminal.waitFor("First.");
      terminal.type("/model\r");
      expect(await terminal.waitFor(/▸ \S+ +in use/)).toMatch(/▸ fake-model +in use · 33k window/);
      expect(terminal.screen()).toContain("evil\\x1b[2J\\u202e");
      terminal.type("second\r");
      await terminal.waitFor(/^second\/model · /m);
      terminal.type("two\r");
      await terminal.waitFor("Second.");
      terminal.type("/model fake-model\r");
      await terminal.waitFor(/^fake-model · /m);
      terminal.type("three\r");
      await terminal.waitFor("Third.");
    });
    expect(server.chats.map(({ body }) => body?.["model"])).toEqual([
      "fake-model",
      "second/model",
      "fake-model",
    ]);
  });

  test("/permissions: shows and forgets a remembered answer", async () => {
    const call = { name: "mkdir", arguments: { path: "made" } };
    server.use({ turns: [{ calls: [call] }, { text: "Made." }] });
    const place = makePlace();
    await onScreen({ server, place, rows: 40, args: ["--tools", "all"] }, async (terminal) => {
      terminal.type("go\r");
      await terminal.waitFor(/\[3\]/);
      await terminal.settled();
      terminal.press("3");
      await terminal.waitFor("Made.");
      terminal.type("/permissions\r");
      await terminal.waitFor(/▸ .*every edit/);
      terminal.press("enter");
      await terminal.waitFor("Enter again forgets it");
      terminal.press("enter");
      await terminal.waitFor("no remembered answers");
    });
    expect(existsSync(join(place.workspace, "made"))).toBe(true);
  });

  test("/theme: arrows preview, Esc and Ctrl+C restore, Enter saves", async () => {
    const place = makePlace();
    await onScreen({ server, place, rows: 30, env: { COLORTERM: "truecolor" } }, async (terminal) => {
      for (const key of ["esc", "ctrl+c"]) {
        const opened = terminal.bytes().length;
        terminal.type("/theme\r");
        await terminal.waitFor("▸ terminal");
        terminal.press("up");
        await terminal.waitFor("▸ high-contrast");
        await terminal.until("new colours", () =>
          terminal.bytes().slice(opened).includes("38;2;208;208;208"),
        );
        const before = terminal.bytes().length;
        terminal.press(key);
        await terminal.until("end of the dialog", () => !/Esc closes|Settings {2}/.test(terminal.screen()));
        expect(existsSync(configOf(place))).toBe(false);
        expect(terminal.bytes().slice(before)).not.toContain("38;2;");
      }
      terminal.type("/theme light\r");
      await terminal.waitFor("· theme light");
      // The lines around the editor change too.
      await terminal.until("a rule in its colour", () =>
        terminal.bytes().includes("\u001b[38;2;175;184;193m─"),
      );
      expect(readConfig(place)).toEqual({ theme: "light" });
      terminal.type("/theme pink\r");
      await terminal.waitFor('there is no theme "pink"');
    });
  });

  test("without colours, and with a dumb terminal", async () => {
    await onScreen({ server, env: { NO_COLOR: "1", COLORTERM: "truecolor" } }, async (terminal) => {
      terminal.type("/theme dark\r");
      await terminal.waitFor("· theme dark");
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for colours
      expect(terminal.bytes()).not.toMatch(/\u001b\[[0-9;]*(?:3[0-8]|4[0-8]|9[0-7])[;m]/);
    });
    if (isAttached) return; // The chat in lines has no server behind it.
    for (const [env, args] of [
      [{ TERM: "dumb" }, []],
      [{}, ["--screen-reader"]],
      [{ LOCALHARNESS_SCREEN_READER: "true" }, []],
    ] as const) {
      await onScreen({ server, env, args, atOnce: true }, async (terminal) => {
        await terminal.waitFor("/help lists commands");
        terminal.type("/quit\r");
        expect(await terminal.ended()).toBe(0);
        // The screen is not used: the alternate screen is never entered.
        expect(terminal.bytes()).not.toContain("\u001b[?1049h");
      });
    }
  });

  test("/rename, /fork, /tree, /resume with search, /export, /clear; --resume opens the list", async () => {
    server.use({
      turns: [{ text: "Green tea it is." }, { text: "Two minutes." }, { text: "Eighty degrees." }],
    });
    const place = makePlace();
    await onScreen({ server, place, rows: 40 }, async (terminal) => {
      terminal.type("which tea?\r");
      await terminal.waitFor("Green tea it is.");
      terminal.type("how long?\r");
      await terminal.waitFor("Two minutes.");
      terminal.type("/rename Tea time\r");
      await terminal.waitFor("this session is called Tea time");
      terminal.type("/tree\r");
      await terminal.waitFor("this session has no branches");
      terminal.type("/fork\r");
      await terminal.waitFor(/› how long\?[\s\S]*Enter goes back/);
      terminal.press("enter");
      await terminal.until("text in the editor", () => /─\nhow long\?/.test(terminal.screen()));
      terminal.press("ctrl+u");
      terminal.type("how hot?\r");
      await terminal.until("second answer", () => server.chats.length === 3);
      await terminal.waitFor(/how hot\?\n\n+Two minutes/);
      terminal.type("/tree\r");
      expect(await terminal.waitFor("· here")).toMatch(/ {2}Tea time .*\n▸ {3}└ /);
      terminal.press("esc");
      await terminal.until("end of the list", () => !terminal.screen().includes("Esc closes"));
      terminal.type("/export constructor\r");
      await terminal.waitFor("/export takes markdown, json or html, or a FILE");
      terminal.type("/export html tea.html\r");
      await terminal.waitFor(/written to .*tea\.html/);
      expect(readFileSync(join(place.workspace, "tea.html"), "utf8")).toContain("how hot?");
      terminal.type("/clear\r");
      await terminal.waitFor("started a new session");
      terminal.type(`/resume${enterKey}long`);
      await terminal.waitFor(/▸ Tea time.*\n +.*how long\?/);
      terminal.press("enter");
      await terminal.waitFor(
        /started a new session\n+─+\n› which tea\?[\s\S]*› how long\?[\s\S]*Two minutes\./,
      );
    });
    // Each request contains the earlier answers.
    const roles = server.chats.map(({ body }) => JSON.stringify(body).match(/"role":/g)?.length);
    expect(roles).toEqual([2, 4, 4]);
    await onScreen({ server, place, rows: 40, args: ["--resume"], atOnce: true }, async (terminal) => {
      await terminal.waitFor("▸ Tea time");
      terminal.type("degrees or minutes that nobody spoke of");
      await terminal.waitFor("nothing matches");
      terminal.press("ctrl+u");
      await terminal.waitFor("Tea time");
      terminal.press("ctrl+d", "ctrl+d");
      await terminal.until("one session less", () => !/1 of 2|Ctrl\+D again/.test(terminal.screen()));
    });
  });

  test("a custom command is completed, listed, and sent as its message", async () => {
    server.use({ turns: [{ text: "Reviewed." }] });
    const place = makePlace();
    configure(place, "commands/review.md", "---\ndescription: look over a file\n---\nReview $1 with care.\n");
    const args = isAttached ? [] : ["/review first.txt"];
    await onScreen({ server, place, rows: 40, args }, async (terminal) => {
      if (isAttached) terminal.type("/review first.txt\r");
      await terminal.waitFor(/Review first\.txt with care\.[\s\S]*Reviewed\./);
      server.use({ turns: [{ text: "One." }, { text: "Two." }, { text: "Three." }] });
      terminal.type(`/review second.txt\\${enterKey}and more\r`);
      await terminal.waitFor(/Review second\.txt with care\.[\s\S]*Two\./);
      terminal.type(`/* code */\\${enterKey}let x;\r`);
      await terminal.waitFor(/› \/\* code \*\/[\s\S]*Three\./);
      server.use({ turns: [1, 2, 3, 4].map(() => ({ text: "Reviewed." })) });
      terminal.type("/rev");
      await terminal.waitFor("look over a file");
      terminal.press("tab");
      terminal.type("tea.txt\r");
      await terminal.waitFor(/Review tea\.txt with care\.[\s\S]*Reviewed\./);
      terminal.type("/help\r");
      await terminal.waitFor("Keys and commands");
      terminal.press("end");
      await terminal.waitFor(/Custom commands:\n\/review/);
    });
  });

  test("a terminal of forty columns has room for lists and settings", async () => {
    await onScreen({ server, cols: 40, rows: 16 }, async (terminal) => {
      terminal.type("/config\r");
      await terminal.waitFor("Settings");
      terminal.press("end");
      await terminal.settled();
      expect(
        terminal
          .screen()
          .split("\n")
          .every((line) => line.length <= 40),
      ).toBe(true);
      terminal.press("esc");
      await terminal.until("the editor", () => !terminal.screen().includes("Settings"));
      terminal.type("/tools\r");
      await terminal.waitFor(/1 of \d+ · ↑↓/);
      terminal.press("pagedown", "pagedown", "pagedown", "pagedown", "pagedown");
      await terminal.waitFor("get_working_directory");
      await terminal.resize(100, 30);
      await terminal.waitFor("Enter switches it");
    });
  });
});
