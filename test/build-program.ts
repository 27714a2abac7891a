/** Builds the program as it is published, once for all test files of a run. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { buildCli } from "../scripts/build.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the built program. */
    builtProgram: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Inside node_modules, so that packages which are not bundled are found.
  const name = `localharness-test-${process.pid}-${project.name}`;
  const folder = join(import.meta.dirname, "..", "node_modules", ".cache", name);
  await buildCli(folder);
  project.provide("builtProgram", folder);
  return async () => {
    for (const made of [folder, `${folder}-cache`]) await rm(made, { recursive: true, force: true });
  };
}
