/** Tells from the words of a refusal whether the prompt was too long for the model's context window. */

const words =
  /context[ _-]?(length|window|size|limit)|maximum context|too many tokens|prompt is too long|input is too long|exceeds? the (available |maximum )?(context|number of tokens)|reduce the length|max(imum)? (input|prompt) length|inputs?\W{1,3}tokens \+/i;

/** Matches limits of requests or money in a time. The same prompt fits later. */
const ofRate =
  /\bper[ -]?(?:min(?:ute)?|hour|day|sec(?:ond)?|month)\b|\b(?:[TR]P[MDHS]|[IO]TPM)\b|rate.?limit|quota|too many requests|\bcredits?\b|\bafford\b|\bbalance\b/i;

/** Matches the size of the answer that was asked for. */
const ofAnswer =
  /max_?(?:completion|new|output)?_?tokens|max\w* (?:output|completion|new|generat)|num_predict|n_predict|max(?:Output)?Tokens/i;
const ofPrompt = /context|prompt|inputs?\b|messages?\b|window|sequence|n_ctx|conversation/i;
const answerAfter = /^\s*(?:output|completion|generated|new)\b/i;

/** Matches what has a size but is no prompt: one field of the request, an image, a file. */
const ofPart =
  /\b(?:image|pixel|dimension|width|height|audio|video|embedding|position|column|offset)s?\b|\bline \d|string (?:is )?too long|string with|(?:description|name|schema|stop|user|metadata)\b[^.;]{0,40}(?:too long|at most|longer than|exceeds)/i;

const topic =
  /token|context|prompt|input|sequence|seq_?len|messages?\b|window|n_ctx|conversation|length|上下文|输入|长度/i;

const excess =
  /too (?:long|large|big|many)|exceed|(?:great|larg|long|bigg|high)er than|more than|\bover\b|above|beyond|surpass|overflow|>|(?:not|n't|cannot) (?:fit|hold|handle)|reduce|shorten|truncat|not enough|insufficient|less than|smaller than|超/i;

/** Matches the words before a number that is a limit. The last of them and of `sentWords` decides. */
const limitWords =
  /(?:max(?:imum)?|limit\w*|at most|up to|only|allow\w*|support\w*|available|capacity|budget|n_ctx\w*|seq_?len|window|hold\w*|trained|最大|上限)/gi;
const sentWords =
  /\b(?:got|sent|ha[sd]|have|result\w*|request(?:ed|s)|received|contain\w*|you|your|prompt)\b/gi;

/** A smaller number is no window, but a count, a position or a status. */
const smallestWindow = 256;

interface Amount {
  readonly value: number;
  /** The text before the number, from the number before it on. */
  readonly before: string;
  readonly after: string;
}

/**
 * Returns true if the refusal says that the prompt is too long: status 413, known words, or two numbers of which the greater
 * one was sent and the smaller one is the limit. Returns false for limits of rates and of the answer's length.
 */
export function isOverflow(status: number, said: string): boolean {
  if (status === 413) return true;
  if (status === 429 || ofRate.test(said)) return false;
  const amounts = amountsIn(said);
  const most = greatest(amounts);
  if (most !== undefined && isOfAnswer(most, said)) return false;
  if (words.test(said)) return true;
  if (most === undefined || ofPart.test(said) || !topic.test(said) || isLimit(most)) return false;
  const others = amounts.filter(({ value }) => value < most.value);
  return others.length > 0 && (excess.test(said) || others.some(isLimit));
}

/**
 * Returns true if the refusal has two numbers of which the greater one is close to the number of tokens that was sent, in any
 * words. `sentTokens` is an estimate.
 */
export function namesSentSize(status: number, said: string, sentTokens: number): boolean {
  if (status === 429 || ofRate.test(said) || ofPart.test(said)) return false;
  const amounts = amountsIn(said);
  const most = greatest(amounts);
  if (most === undefined || isOfAnswer(most, said) || isLimit(most)) return false;
  const isClose = most.value > sentTokens / 2 && most.value < sentTokens * 2;
  return isClose && amounts.some(({ value }) => value < most.value);
}

function greatest(amounts: readonly Amount[]): Amount | undefined {
  return amounts.reduce<Amount | undefined>(
    (most, amount) => (most === undefined || amount.value > most.value ? amount : most),
    undefined,
  );
}

/** Returns true if the number is the length of the answer that was asked for, or if nothing else is mentioned in `said`. */
function isOfAnswer({ before, after }: Amount, said: string): boolean {
  const isAnswer = ofAnswer.test(before) && !/must be|<=|≤/.test(before);
  return isAnswer || answerAfter.test(after) || (ofAnswer.test(said) && !ofPrompt.test(said));
}

function isLimit({ before }: Amount): boolean {
  return lastMatch(limitWords, before) > lastMatch(sentWords, before);
}

function lastMatch(pattern: RegExp, text: string): number {
  return [...text.matchAll(pattern)].at(-1)?.index ?? -1;
}

/** Matches a number with or without separators, but no part of a name, a date, a time, a size in bytes or a share. */
const numbers =
  /(?<![\w.-])(\d{1,3}(?:[,_'’.\u00a0\u202f]\d{3})+|\d{1,9})(k?)(?![\d%]|[.:-]\d|\s?(?:[kmg]i?b|bytes?|ms|s|secs?|seconds?|px)\b)/gi;

/** The maximum number of characters of a refusal that are looked at. */
const maxChars = 4_000;

function amountsIn(said: string): readonly Amount[] {
  const text = said.slice(0, maxChars);
  const found = [...text.matchAll(numbers)];
  return found.flatMap((match, index) => {
    const [whole, digits = "", thousands = ""] = match;
    const value = Number(digits.replace(/\D/g, "")) * (thousands === "" ? 1 : 1024);
    const previous = found[index - 1];
    const from = previous === undefined ? 0 : previous.index + previous[0].length;
    const before = text.slice(Math.max(from, match.index - 60), match.index);
    const after = text.slice(match.index + whole.length, match.index + whole.length + 30);
    return value < smallestWindow ? [] : [{ value, before, after }];
  });
}
