/** Makes the scripted server as strict as a real one: it renders each request through a chat template or refuses it. */
import { createStrictDesk, type Strictness, strictCatalog } from "@localharness/models/fake-server";
import type { JsonObject } from "@localharness/protocol";
import { modelName } from "./catalog.ts";

export interface StrictAnswer {
  readonly status: number;
  readonly body: JsonObject | string;
}

export interface StrictModel {
  /** Answers a request about the server; undefined when the plain server should answer. */
  tell(method: string, path: string, body: JsonObject): StrictAnswer | undefined;
  /** Renders the prompt of a chat request, or refuses it; undefined for a wire without templates. */
  read(path: string, body: JsonObject): { readonly prompt: string } | StrictAnswer | undefined;
}

export function createStrictModel(strict: Strictness): StrictModel {
  const desk = createStrictDesk(strict);
  const scenario = { turns: [], models: [{ name: modelName }] };
  return {
    tell: (method, path, body) => strictCatalog(desk, scenario, method, path, body),
    read(path, body) {
      const openai = path.endsWith("/chat/completions");
      if (!openai && path !== "/api/chat") return undefined;
      const taken = desk.read(openai ? "openai" : "ollama", body);
      if (taken.kind === "rendered") desk.answered();
      return taken.kind === "rendered" ? { prompt: taken.prompt } : taken;
    },
  };
}
