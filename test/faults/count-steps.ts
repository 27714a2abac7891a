/** Counts the steps of a program that loads this file by `--import`. */
import { takeCountedSteps } from "./kill-at-step.ts";

await takeCountedSteps();
