/** Where servers start: apart from the workspace, or in it because they may run its code. */
import { resolve } from "node:path";
import { type CommandEntry, readEntries } from "@localharness/mcp/config";
import { describe, expect, test } from "vitest";
import { type PlaceLook, placeOf } from "../../src/mcp/server-place.ts";

const root = "/home/me/ws";
const folders = ["", "docs", "srv", "node_modules/near", "near"].map((path) => resolve(root, path));
const files = ["s.js", "run.sh", "conf.json", "notes.db", "mod.py", "tools/server", "package.json"];

const look: PlaceLook = {
  root,
  leadsIn: (path) => path === root || path.startsWith(`${root}/`) || path.startsWith("/link"),
  kindOf: (path) =>
    folders.includes(path)
      ? "folder"
      : files.some((file) => resolve(root, file) === path)
        ? "file"
        : undefined,
};

function entryOf(line: string, more: object = {}): CommandEntry {
  const [command, ...args] = line.split(" ");
  const text = JSON.stringify({ mcpServers: { s: { command, args, ...more } } });
  const [entry] = readEntries(text).entries;
  if (entry?.kind !== "command") throw new Error(line);
  return entry;
}

function placed(line: string, ofProject: boolean, more: object = {}): string {
  const place = placeOf(entryOf(line, more), look, ofProject);
  return place.kind === "apart" ? [place.command, ...place.args].join(" ") : "in the folder";
}

describe("a server of the person or of the project starts apart, with its paths made absolute", () => {
  test.each([
    ["npx -y @acme/files .", `npx -y @acme/files ${root}`],
    ["npx -y files ./docs --root=./docs", `npx -y files ${root}/docs --root=${root}/docs`],
    ["uvx acme-git --repository .", `uvx acme-git --repository ${root}`],
    ["npx -y files ../other", "npx -y files /home/me/other"],
    ["acme-server . --db ./notes.db", `acme-server ${root} --db ${root}/notes.db`],
    ["acme-server --db ./new.db", `acme-server --db ${root}/new.db`],
    [
      "docker run -i --rm -v ./docs:/docs acme/files /docs",
      `docker run -i --rm -v ${root}/docs:/docs acme/files /docs`,
    ],
    ["/opt/acme/server /home/me/ws", "/opt/acme/server /home/me/ws"],
    ["pipx run acme-notes ./docs", `pipx run acme-notes ${root}/docs`],
    ["npm exec -y -- acme .", `npm exec -y -- acme ${root}`],
  ])("%s", (line, expected) => {
    expect(placed(line, false)).toBe(expected);
    expect(placed(line, true)).toBe(expected);
  });
});

describe("a server of the person finds no file of the workspace by a bare name", () => {
  test.each([
    "node s.js",
    "python3 -m mod",
    "npx -y near",
    "uvx near",
    "sh run.sh",
    "npm run start",
    "uv run mod.py",
    "bun run s.js",
    "make serve",
  ])("%s starts apart, of the project in the folder", (line) => {
    expect(placed(line, false)).toBe(line);
    expect(placed(line, true)).toBe("in the folder");
  });
});

describe("a server that may run code of the workspace starts there only", () => {
  test.each<[string, object]>([
    ["./tools/server .", {}],
    ["/home/me/ws/tools/server", {}],
    ["/link/server", {}],
    ["node ./s.js .", {}],
    ["node /home/me/ws/s.js", {}],
    ["node .", {}],
    ["node --import=./s.js /opt/acme/server.js", {}],
    ["node --import file:///home/me/ws/s.js /opt/acme/server.js", {}],
    ["npx .", {}],
    ["npx ./srv", {}],
    ["npx -y -p ./srv acme .", {}],
    ["npx -y tsx ./s.js", {}],
    ["npx -y nodemon ./s.js", {}],
    ["npm --prefix . start", {}],
    ["uvx --from . acme", {}],
    ["uvx --with acme --from ./srv acme .", {}],
    ["uv --directory . run acme", {}],
    ["uv run --project ./srv acme", {}],
    ["pipx run --spec ./srv acme", {}],
    ["python3 ./srv", {}],
    ["python3 -W error ./mod.py", {}],
    ["env A=1 node ./s.js", {}],
    ["go run ./srv", {}],
    ["make -C . serve", {}],
    ["acme-runner ./run.sh", {}],
    ["acme-runner --config ./conf.json", {}],
    ["sh -c", { args: ["-c", "cd /home/me/ws && node s.js"] }],
    ["node server.js", { cwd: "." }],
    ["acme", { cwd: "/home/me/ws/srv" }],
    ["acme", { cwd: "/link" }],
    ["node s.js", { cwd: "srv" }],
    ["acme", { env: { NODE_OPTIONS: "--require ./s.js" } }],
    ["acme", { env: { PYTHONPATH: "/usr/lib:/home/me/ws" } }],
    ["acme", { env: { LD_PRELOAD: "/home/me/ws/a.so" } }],
    ["node ../ws/s.js", { cwd: "/home/me/other" }],
    ["node s.js", { cwd: "/home/me/other/../ws" }],
  ])("%s %j", (line, more) => {
    expect(placed(line, false, more)).toBe("in the folder");
  });
});

test("a folder outside is where the entry says, and an allowed value is no code", () => {
  expect(placed("node s.js .", false, { cwd: "/opt/acme" })).toBe("node s.js .");
  expect(placed("acme", false, { env: { ROOT: "/home/me/ws" } })).toBe("acme");
});

test("what an answer is tied to has no folders that are data", () => {
  const words = (line: string) => {
    const place = placeOf(entryOf(line), look, false);
    return place.kind === "folder" ? [place.folder, ...place.words] : [];
  };
  expect(words("./tools/server . ./docs")).toEqual([root, "./tools/server"]);
  expect(words("node ./s.js ./docs")).toEqual([root, "node", "./s.js"]);
  expect(words("npx ./srv")).toEqual([root, "npx", "./srv"]);
});
