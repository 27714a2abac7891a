/** Loaded before a program by `--import`: its steps are counted. */
import { takeCountedSteps } from "./kill-at-step.ts";

await takeCountedSteps();
