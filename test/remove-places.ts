/** Removes the folders that the tests of one file have made. */
import { afterAll } from "vitest";
import { removePlaces } from "./run-program.ts";

afterAll(removePlaces);
