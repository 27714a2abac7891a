/** Starts a fake model server for the tests of one file. */
import { afterAll } from "vitest";
import {
  type FakeServer,
  type Scenario,
  startFakeServer,
} from "../packages/models/test/fake-server/index.ts";

export async function serveModel(turns: Scenario["turns"] = []): Promise<FakeServer> {
  const server = await startFakeServer({ turns });
  afterAll(() => server.close());
  return server;
}

/** Returns the arguments that make the program use the server. */
export function argumentsFor({ baseUrl }: FakeServer): readonly string[] {
  return ["--base-url", baseUrl, "--model", "fake-model"];
}
