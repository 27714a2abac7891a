/**
 * Creates command lines as an attacker would write them: an allowed command with a forbidden one around it or in it. It
 * uses operators, quoting, expansions, redirections, assignments, wrappers, options, and inserted or deleted
 * characters.
 */
import type { Random } from "./random.ts";

const allowed = [
  "alpha one two",
  "alpha",
  "beta --flag x.txt",
  "git status",
  "git log --oneline -5",
  "npm test",
  "ls -la",
  "cat f.txt",
  "echo hi there",
  "grep -n needle f.txt",
  "alpha 'a b' \"c d\"",
  'alpha "it\'s" \'say "x"\'',
  "head -n 5 f.txt | wc -l",
  "alpha && beta || alpha x; beta y",
  "alpha HEAD~1 a=b c:d,e @f %g +h i#j",
  'alpha "a\\"b" "c\\\\d" "e\\.f"',
  "alpha > /dev/null 2>&1",
  "beta # a remark",
  "printf '%s\\n' a b",
  "true",
] as const;

const payloads = [
  "touch PWNED",
  "'touch' PWNED",
  '"to"uch PWNED',
  "t\\ouch PWNED",
  "$'\\x74ouch' PWNED",
  `touch\${IFS}PWNED`,
  "{touch,PWNED}",
  "eval touch PWNED",
  "command touch PWNED",
  "env touch PWNED",
  "X=1 touch PWNED",
  "\ntouch PWNED",
  "exec touch PWNED",
  "bash -c 'touch PWNED'",
  ". ./evil",
  "builtin eval touch PWNED",
  ": > PWNED",
] as const;

const operators = [";", "&&", "||", "|", "|&", "&", "\n", ";;", "&&&", "\r\n", "\u00a0;", "; ;"] as const;

const around: readonly [(line: string, bad: string) => string, ...((line: string, bad: string) => string)[]] =
  [
    (line, bad) => `${line} $(${bad})`,
    (line, bad) => `${line} "$(${bad})"`,
    (line, bad) => `${line} \`${bad}\``,
    (line, bad) => `${line} <(${bad})`,
    (line, bad) => `${line} > >(${bad})`,
    (line, bad) => `${line} \${x:-$(${bad})}`,
    (line, bad) => `${line} $((a[$(${bad})]))`,
    (line, bad) => `${line} $\\\n(${bad})`,
    (line, bad) => `${line} <<X\n$(${bad})\nX`,
    (line, bad) => `${line} <<< "$(${bad})"`,
    (line, bad) => `${line} #\n${bad}`,
    (line, bad) => `${line} \\\n; ${bad}`,
    (line, bad) => `{ ${bad}; }; ${line}`,
    (line, bad) => `(${bad}); ${line}`,
    (line, bad) => `if ${bad}; then ${line}; fi`,
    (line, bad) => `for i in 1; do ${bad}; done; ${line}`,
    (line, bad) => `f() { ${bad}; }; f; ${line}`,
    (line, bad) => `! ${bad}; ${line}`,
    (line, bad) => `x='$(${bad})'; ${line} \${x@P}`,
    (line, bad) => `coproc ${bad}; ${line}`,
    (line, bad) => `case x in x) ${bad};; esac; ${line}`,
    (line, bad) => `trap '${bad.replaceAll("'", "")}' EXIT; ${line}`,
    (line, bad) => `printf -v 'a[$(${bad.replaceAll("'", "")})]' x; ${line}`,
    (line, bad) => `test -v 'a[$(${bad.replaceAll("'", "")})]'; ${line}`,
    (line, bad) => `${line}'$(${bad.replaceAll("'", "")})'`,
    (line, bad) => `${line} "a\\$(${bad})"`,
    (line, bad) => `${line} 'a'\\''$(${bad.replaceAll("'", "")})'`,
    (line) => `${line} > PWNED`,
    (line) => `${line} >| PWNED`,
    (line) => `${line} >>PWNED`,
    (line) => `${line} 2>PWNED`,
    (line) => `${line} &>PWNED`,
    (line) => `${line} >&PWNED`,
    (line) => `${line} <>PWNED`,
    (line) => `${line} {fd}>PWNED`,
    (line) => `${line} >/dev/null>PWNED`,
    (line) => `${line} 2>&1>PWNED`,
    (line) => `${line} >/dev/nullPWNED/../../PWNED`,
    (line) => `${line} 2>&1PWNED`,
    (line) => `${line} >& 1PWNED`,
    (line) => `PATH=. ${line}`,
    (line) => `A=b B='c d' ${line}`,
    (line) => `export PATH=.\n${line}`,
    (line) => `alias alpha='touch PWNED'\n${line}`,
    (line) => `alpha() { touch PWNED; }\n${line}`,
    (line) => `shopt -s extglob\n${line} !(x)`,
    (line) => `set -- touch PWNED; ${line}; "$@"`,
  ];

const inserted = [
  ..."\"'`$\\;&|<>(){}[]!*?~#=%^+@-:,./ \t\n\r09aZ_",
  "\u00a0",
  "\u202e",
  "\u200b",
  "é",
  "$(",
  "${",
  "&&",
  "||",
  ">>",
  "<<",
  "\\\n",
  "$'",
  '$"',
  "PWNED",
] as const;

const soup = "aaaaabbcc0129    ''\"\"\\\\--==::..,,//@%+^_~#;;&&||\n<>>!$`*?[]{}()\t" as const;

/** Returns a line of random characters, which tests only where words end and what is quoted. */
function soupLine(random: Random): string {
  let line = random.chance(0.8) ? "alpha " : "";
  for (let length = random.below(16); length >= 0; length -= 1) {
    line += soup[random.below(random.chance(0.6) ? 48 : soup.length)] ?? "";
  }
  return line;
}

/** Returns one line: an attack in more than half of the cases, else random characters or a harmless variation. */
export function fuzzLine(random: Random): string {
  if (random.chance(0.25)) return soupLine(random);
  let line: string = random.pick(allowed);
  const bad: string = random.pick(payloads);
  const kind = random.below(8);
  if (kind < 3) {
    line = joined(random, line, bad);
  } else if (kind < 6) {
    line = random.pick(around)(line, bad);
  } else if (kind < 7) {
    line = joined(random, line, random.pick(allowed));
  }
  const changes = Math.max(0, random.below(5) - 1);
  for (let count = 0; count < changes; count += 1) {
    line = changed(random, line);
  }
  return line.replaceAll("\0", "");
}

function joined(random: Random, first: string, second: string): string {
  const gap = random.chance(0.5) ? " " : "";
  const operator = random.pick(operators);
  return random.chance(0.3)
    ? `${second}${gap}${operator}${gap}${first}`
    : `${first}${gap}${operator}${gap}${second}`;
}

function changed(random: Random, line: string): string {
  const at = random.below(line.length + 1);
  const until = at + random.below(3);
  switch (random.below(4)) {
    case 0:
      return line.slice(0, at) + line.slice(until);
    case 1:
      return line.slice(0, until) + line.slice(at);
    default:
      return (
        line.slice(0, at) +
        random.pick(inserted as unknown as readonly [string, ...string[]]) +
        line.slice(at)
      );
  }
}
