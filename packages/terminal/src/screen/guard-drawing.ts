/**
 * Shows an error in place of a drawing that failed. A timer draws the frames, and an error there would end the program.
 */
import { reasonOf } from "@localharness/protocol";
import { screenLine } from "../plain-text.ts";

export function guardDrawing(draw: () => readonly string[]): readonly string[] {
  try {
    return draw();
  } catch (error) {
    const why = reasonOf(error);
    return [`(this cannot be drawn: ${screenLine(why.slice(0, 200))})`];
  }
}
