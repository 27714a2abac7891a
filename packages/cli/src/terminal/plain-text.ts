/** The door for text from models, tools and files: nothing of it may steer a terminal. The screen uses the same. */
export {
  judgedLine,
  judgedText,
  plainJson,
  plainText,
  visibleLine,
  visibleText,
} from "@localharness/protocol";
