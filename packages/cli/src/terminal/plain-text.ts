/** Exports the functions that clean text from models, tools and files, so that it cannot control a terminal. */
export {
  joinedLine,
  judgedLine,
  judgedText,
  plainJson,
  plainText,
  visibleLine,
  visibleLines,
  visibleText,
} from "@localharness/protocol";
