/** Finds the markup of calls in a text that a tool would get as its only argument. */

/** Matches tags and special tokens of calls in any format, and the arguments of a call in JSON. */
const callMarkup =
  /<\/?(?:[\w-]{1,20}[:_])?(?:tool_?calls?|function_?calls?|function|invoke|parameter|tool_sep|arg_key|arg_value)(?![\w-])|<(?:[|｜][^\s<>|｜]{2,40}[|｜]?|\w{2,40}[|｜])>|\[\/?(?:TOOL_CALLS|ARGS|CALL_ID)\]|\]<\]minimax\[>\[|"(?:arguments|parameters)"\s{0,4}:\s{0,4}[{"]/i;

/** Returns true if the text has markup of a call. Then the text is not the value of an argument. */
export function hasCallMarkup(text: string): boolean {
  return callMarkup.test(text);
}
