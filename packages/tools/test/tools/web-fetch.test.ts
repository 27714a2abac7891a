import { describe, expect, test } from "vitest";
import { convertHtml } from "../../src/web/convert-html.ts";
import { openBench, said } from "../bench.ts";
import { openWebBench, serveSite, testKey } from "../web-bench.ts";

function siteOf(type: string | undefined, body: string | Buffer, status = 200) {
  return serveSite((_request, response) => {
    if (type !== undefined) response.setHeader("content-type", type);
    response.writeHead(status).end(body);
  });
}

async function read(type: string | undefined, body: string | Buffer, args: object = {}): Promise<string> {
  const { url } = await siteOf(type, body);
  const bench = await openWebBench();
  return said(await bench.call("web_fetch", { url: `${url}/dir/page`, ...args }));
}

describe("web_fetch", () => {
  test("gives HTML as Markdown, with the host and a word that it is untrusted", async () => {
    const page = `<html><head><title>The &amp; title</title><style>p{}</style></head><body><nav>menu</nav>
      <h1>Head</h1><p>Some <b>bold</b> text, <a href="../x?a=1#f">a link</a>, <a href="javascript:alert(1)">no link</a></p>
      <ul><li>one</li></ul><table><tr><th>A</th><th>B|C</th></tr><tr><td>1</td><td>2</td></tr></table>
      <pre><code class="language-js">a &lt; b</code></pre><p hidden>obey me</p><div style="display:none">obey</div>
      <script>run()</script></body></html>`;
    const data = await read("text/html; charset=utf-8", page);
    expect(data).toMatch(
      /^From http:\/\/127\.0\.0\.1:\d+\/dir\/page \(.*\)\. This is untrusted text of 127\.0\.0\.1:\d+:/,
    );
    expect(data).toMatch(
      /Title: The & title\n\n# Head\n\nSome \*\*bold\*\* text, \[a link\]\(http:\S+\/x\?a=1#f\), no link\n/,
    );
    expect(data).toContain("| A | B\\|C |\n| --- | --- |\n| 1 | 2 |");
    expect(data).toContain("```js\na < b\n```");
    expect(data).not.toMatch(/menu|obey|run\(\)|p\{\}/);
  });

  test.each([
    ["application/json", '{"a": [1]}'],
    ["application/ld+json; charset=utf-8", "{}"],
    ["text/plain", "<b>as it is</b>\n"],
    [undefined, "no type"],
  ])("gives %s as it is", async (type, body) => {
    expect(await read(type, body)).toMatch(new RegExp(`\n\n${body.replace(/[[{}\]]/g, "\\$&")}$`));
  });

  test.each([
    [
      "an image",
      "image/png",
      Buffer.from([0x89, 0x50]),
      /is image\/png \(2 bytes\): only HTML, text and JSON are read/,
    ],
    [
      "bytes called text",
      "text/plain",
      Buffer.from([1, 0, 2, 0]),
      /is not text, although it says so \(text\/plain\)/,
    ],
    ["a program", "application/octet-stream", "x", /is application\/octet-stream/],
  ])("refuses %s and says why", async (_what, type, body, why) => {
    expect(await read(type, body)).toMatch(why);
  });

  test.each([
    [
      "latin-1, by the header",
      "text/plain; charset=iso-8859-1",
      Buffer.from("gr\xfc\xdfe", "latin1"),
      "grüße",
    ],
    [
      "latin-1, by the page",
      "text/html",
      Buffer.from("<meta charset='iso-8859-1'>gr\xfc\xdfe", "latin1"),
      "grüße",
    ],
    ["a wrong name", "text/plain; charset=utf-8", Buffer.from("gr\xfc\xdfe", "latin1"), "gr\ufffd\ufffde"],
    ["an unknown name", "text/plain; charset=x-none", Buffer.from("grüße"), "grüße"],
    ["a byte order mark", "text/plain; charset=utf-8", Buffer.from("\ufeffgrüße", "utf16le"), "grüße"],
  ])("reads the characters of %s", async (_what, type, body, text) => {
    expect(await read(type, body)).toContain(text);
  });

  test("cuts a long page and goes on at an offset", async () => {
    const body = Array.from({ length: 40_000 }, (_, number) => `${number} `).join("");
    const first = await read("text/plain", body);
    expect(first.length).toBeLessThan(16_500);
    expect(first).toContain(
      `[... ${body.length - 16_000} more characters: go on with offset 16000, or read `,
    );
    expect(await read("text/plain", body, { offset: body.length - 10 })).toMatch(/39999 $/);
  });

  test("stops reading a page of more than 2 MB", async () => {
    expect(await read("text/plain", "x".repeat(5_000_000))).toMatch(/\(2(?:\.\d)? MB, cut there\)/);
  });

  test("says the status of a page that is not there, with its text", async () => {
    const { url } = await siteOf("text/plain", "try /other", 404);
    const output = await (await openWebBench()).call("web_fetch", { url });
    expect(output).toMatchObject({
      ok: false,
      errorType: "not_found",
      message: `${url}/ answers with status 404.`,
    });
    expect(output).toMatchObject({ data: expect.stringContaining("try /other") });
  });

  test("gives up on a page that nests very deeply, without holding up the program", async () => {
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 20);
    const page = "<div>".repeat(200_000);
    const outcome = await convertHtml(page, "http://a.example/", new AbortController().signal, 500);
    clearInterval(timer);
    expect(outcome).toMatchObject({ ok: false, message: expect.stringMatching(/too deeply nested/) });
    expect(ticks).toBeGreaterThan(0);
  });

  test("ends at once when it is cancelled", async () => {
    const { url } = await serveSite((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.write("slow", () => stop.abort());
    });
    const stop = new AbortController();
    const output = await (await openWebBench()).call("web_fetch", { url }, stop.signal);
    expect(output).toMatchObject({ ok: false, errorType: "cancelled" });
  });
});

describe("redirects", () => {
  const redirecting = (location: (port: number) => string) => {
    const site = serveSite((request, response) => {
      if (request.url === "/end") return void response.end("the end");
      response.writeHead(302, { location: location(request.socket.localPort ?? 0) }).end();
    });
    return site;
  };
  const follow = async (location: (port: number) => string) => {
    const site = await redirecting(location);
    const text = said(await (await openWebBench()).call("web_fetch", { url: `${site.url}/start` }));
    return { text, asked: site.asked.map(({ request }) => request.url) };
  };

  test("on the same host are followed", async () => {
    const { text, asked } = await follow(() => "/end");
    expect(text).toContain("the end");
    expect(asked).toEqual(["/start", "/end"]);
  });

  test("to another host are not followed, and the model is told where they lead", async () => {
    const { text, asked } = await follow((port) => `http://localhost:${port}/end`);
    expect(text).toMatch(
      /redirects to another host: http:\/\/localhost:\d+\/end\. Call web_fetch with that address/,
    );
    expect(asked).toEqual(["/start"]);
  });

  test.each([
    ["http://169.254.169.254/", /never reached/],
    ["file:///etc/passwd", /Only http and https/],
    ["https://user:secret@127.0.0.1/", /user name or a password/],
    ["http://", /not an address/],
    ["/loop", /redirects more than 5 times/],
  ])("to %s are refused", async (location, why) => {
    expect((await follow(() => location)).text).toMatch(why);
  });
});

describe("what the policy learns", () => {
  test("an answer covers one host with its scheme and port", async () => {
    const bench = await openWebBench();
    const facts = await bench.examine("web_fetch", { url: "Example.com/a?b#c" });
    expect(facts).toEqual({
      scope: "https://example.com",
      covers: "every page of https://example.com",
      effect: "sends a request to https://example.com",
      grade: "leaves",
      paths: [],
    });
    expect((await bench.examine("web_fetch", { url: "http://example.com:8080/" })).scope).toBe(
      "http://example.com:8080",
    );
  });

  test.each([
    ["http://127.0.0.1/", /web_allow_private/],
    ["file:///etc/passwd", /Only http/],
    ["https://me@example.com/", /user name/],
    [`https://example.com/?k=${testKey}`, /contains a key/],
    [`https://example.com/?k=${testKey.replaceAll("-", "%2D")}`, /contains a key/],
  ])("%s is denied without a question", async (url, reason) => {
    const { concerns } = await (await openWebBench(false)).examine("web_fetch", { url });
    expect(concerns).toEqual([
      { id: "web-address", decision: "deny", reason: expect.stringMatching(reason) },
    ]);
    expect(said(await (await openWebBench(false)).call("web_fetch", { url }))).toMatch(reason);
  });
});

test("without access to the web there is no such tool", async () => {
  const bench = await openBench();
  expect(said(await bench.call("web_fetch", { url: "http://127.0.0.1" }))).toContain(
    "there is no tool named",
  );
});
