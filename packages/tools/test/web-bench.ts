/** Opens the web tools against a real server on this machine. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createWebDoor } from "@localharness/models/web-door";
import { onTestFinished } from "vitest";
import type { SearchService } from "../src/web/web-parts.ts";
import { type Bench, openBench } from "./bench.ts";

export interface Site {
  readonly url: string;
  readonly port: number;
  readonly asked: readonly { readonly request: IncomingMessage; readonly body: string }[];
}

export async function serveSite(answer: RequestListener): Promise<Site> {
  const asked: { request: IncomingMessage; body: string }[] = [];
  const server = createServer((request, response) => {
    const entry = { request, body: "" };
    asked.push(entry);
    request.setEncoding("utf8").on("data", (piece: string) => {
      entry.body += piece;
    });
    request.on("end", () => answer(request, response));
  });
  server.listen(0);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, asked };
}

export const testKey = "sk-0123456789abcdef";

export function openWebBench(allowPrivate = true, search?: Omit<SearchService, "web">): Promise<Bench> {
  const web = createWebDoor({ allowPrivate });
  return openBench({
    web: {
      web,
      holdsSecret: (text) => text.includes(testKey),
      ...(search === undefined ? {} : { search: { ...search, web } }),
    },
  });
}
