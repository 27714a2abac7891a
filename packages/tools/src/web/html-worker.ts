/** The thread that converts one page: takes HTML and its address as `workerData`, and posts Markdown. */
import { parentPort, workerData } from "node:worker_threads";
import { markdownOf } from "./html-to-markdown.ts";

const { html, url } = workerData as { readonly html: string; readonly url: string };
parentPort?.postMessage(markdownOf(html, url));
