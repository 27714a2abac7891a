/** Exports the functions that clean text from models, tools and files, so that it cannot control a terminal. */
export {
  judgedLine,
  judgedText,
  plainJson,
  plainText,
  visibleLine,
  visibleText,
} from "@localharness/protocol";
