/** Checks a page with axe, and for parts that are wider than the screen. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";

interface Found {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Waits until no part fades from one colour to another. What turns for ever, like a spinner, is left out. */
const changesOfColor = `Promise.allSettled(
  document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime !== Infinity).map((one) => one.finished),
)`;

/** Fails if axe finds something on the page, or if the page scrolls sideways. */
export async function checkPage(page: Page): Promise<void> {
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(axe);
  await page.evaluate(changesOfColor);
  const { violations } = await page.evaluate<{ violations: readonly Found[] }>("axe.run()");
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`),
  ).toEqual([]);
  const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  expect(overflow).toBeLessThanOrEqual(0);
}
