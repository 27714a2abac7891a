/** Finds out if the text of a program loads or runs files whose names it computes. Such files cannot be compared one by one. */

/** A text in quotes without parts that are computed, up to the end of the argument. */
const literal = `(?:"[^"\\n\\\\$\`{]*"|'[^'\\n\\\\{]*'|\`[^\`$]*\`)`;
const end = "\\s*[,)\\]]";
/** Programs that run a file or text among their arguments. */
const interpreters =
  "(?:ba|z|da|k|fi)?sh|node|nodejs|deno|bun|tsx|python[\\d.]*|perl|ruby|php|lua|Rscript|env|xargs|sudo|npx|make";

/** Returns the source of an expression for a call of one of the functions whose first argument is no literal text. */
const computedCall = (functions: string, before = "(?<![\\w$.])") =>
  `${before}(?:${functions})\\s*\\((?!\\s*(?:${literal}${end}|\\)))`;
/** The same for a list of words: a list may begin with a literal program, unless that is an interpreter with computed words. */
const computedList = (functions: string, before = "(?<![\\w$.])") => {
  const whole = `\\[\\s*(?:${literal}\\s*,?\\s*)*\\]`;
  const plain = `\\[\\s*(?!["'\`](?:[^"'\`]*/)?(?:${interpreters})["'\`])${literal}${end}`;
  const text = `(?!["'\`](?:[^"'\`]*/)?(?:${interpreters})["'\`]\\s*,(?!\\s*${whole}))${literal}${end}`;
  return `${before}(?:${functions})\\s*\\((?!\\s*(?:${whole}|${plain}|${text}|\\)))`;
};

const any = (...sources: readonly string[]) => new RegExp(sources.join("|"), "m");

const javascript = any(
  computedCall("require|import|importScripts", "(?<![\\w$])"),
  "[=(,:]\\s*(?:module\\.)?require\\s*(?:[;,)\\n]|$)",
  "\\b(?!require\\b)[\\w$]+\\s*=\\s*(?:[\\w$]+\\.)?createRequire\\b|createRequire\\s*\\([^)]*\\)\\s*\\(",
  computedCall("eval|Function"),
  "\\b(?:runIn\\w*Context|compileFunction|dlopen)\\s*\\(|\\bvm\\.\\w*(?:Script|Module)\\b",
  `\\bnew\\s+Worker\\s*\\((?!\\s*(?:new\\s+URL\\s*\\(\\s*)?${literal}${end})`,
  computedList("fork", "(?<![\\w$])"),
  computedList("exec|execSync|execFile|execFileSync|spawn|spawnSync"),
  computedList("exec(?:Sync)?|execFile(?:Sync)?|spawn(?:Sync)?", "\\b(?:child_process|cp|childProcess)\\."),
  "\\benv(?:\\.PATH|\\[[\"'](?:PATH|NODE_OPTIONS|NODE_PATH)[\"']\\])\\s*[+]?=(?!=)|\\benv\\.NODE_\\w+\\s*=(?!=)",
);

const python = any(
  `\\b(?:__import__|import_module|run_path|run_module|load_source|load_module|exec_module|spec_from_file_location|find_spec|SourceFileLoader|execfile|addsitedir|iter_modules|walk_packages|CDLL|LoadLibrary)\\b(?!\\s*\\(\\s*${literal}${end})(?!\\s*(?:$|,|\\)))`,
  "=\\s*(?:importlib\\.)?(?:import_module|__import__)\\s*$|\\bgetattr\\s*\\(\\s*(?:importlib|builtins|__builtins__|os|subprocess)\\b",
  computedCall("exec|eval"),
  "\\bsys\\.(?:path|meta_path|path_hooks)\\b\\s*(?:\\.|[+]?=(?!=)|\\[)",
  computedCall("system|popen|startfile|exec\\w+|spawn\\w+|posix_spawn\\w*", "\\bos\\."),
  computedList("\\w+", "\\bsubprocess\\."),
  computedList("Popen|check_call|check_output|getoutput|getstatusoutput"),
  "\\benv(?:iron)?\\s*(?:\\[\\s*[\"'](?:PATH|PYTHONPATH)[\"']\\s*\\]\\s*[+]?=(?!=)|\\.(?:update|setdefault)\\s*\\()",
);

const ruby = any(
  `(?<![\\w.:])(?:require|require_relative|load|autoload|instance_eval|class_eval|module_eval|eval|system|exec|spawn)\\b[ \\t(]+(?![ \\t(]*(?:["'][^"'#\\n]*["']|:\\w+\\s*,\\s*["'][^"'#\\n]*["']))(?=[\\w$@:(])`,
  "\\$:|\\$LOAD_PATH|`[^`]*#\\{|%x|\\bIO\\.popen\\b|\\beach\\b.*\\brequire\\b|\\(&method\\(:(?:require|load)",
);

const perl = any(
  '\\b(?:require|do|eval|system|exec)\\b\\s*\\(?\\s*(?=[$@<"][^"]*\\$|[$@<])',
  "\\buse\\s+lib\\b(?!\\s+[\"'][^\"'$]*[\"'])|@INC\\b|\\bqx\\b|`[^`]*\\$",
);

const php = any(
  `\\b(?:require|include)(?:_once)?\\b(?!\\s*\\(?\\s*["'][^"'$]*["']\\s*\\)?\\s*;)`,
  computedCall("eval|system|exec|shell_exec|passthru|proc_open|popen"),
  "\\bspl_autoload_register\\b|`[^`]*\\$",
);

const lua = any(
  `\\b(?:dofile|loadfile|loadstring|load|require|execute|popen)\\b(?!\\s*\\(?\\s*["'][^"'\\n]*["']\\s*(?:[),;\\n]|$))(?=\\s*\\(?\\s*[\\w("'.])`,
  "\\bpackage\\.(?:path|cpath|loaders|searchers)\\b",
);

const others = any(
  computedCall("source|sys\\.source|include|evalfile|parse|system2?|eval"),
  "^\\s*(?:source|load)\\s+[$\\[]",
);

/** The expressions by the endings of files and by the beginnings of the names of interpreters. */
const languages: readonly (readonly [files: RegExp, programs: RegExp, loads: RegExp])[] = [
  [/\.[cm]?[jt]sx?$/, /^(?:node|bun|deno|tsx|ts-node)/, javascript],
  [/\.py[w3]?$/, /^(?:python|pypy|ipython|uv|pytest)/, python],
  [/\.(?:rb|rake|gemspec|ru)$|(?:^|\/)(?:Rakefile|Gemfile)$/, /^(?:ruby|irb|rake)/, ruby],
  [/\.(?:pl|pm|t)$/, /^perl/, perl],
  [/\.(?:php|phtml)$/, /^php/, php],
  [/\.lua$/, /^(?:lua|luajit)/, lua],
  [/\.(?:[rR]|jl|tcl|m)$/, /^(?:R|Rscript|julia|tclsh|octave)/, others],
];

const comments = /\/\*[\s\S]*?\*\/|(?<=^|[\s;{}])(?:\/\/|#(?!!)).*$/gm;

/** Returns true if a program in the file, or the text for the interpreter, loads or runs files by names that it computes. */
export function loadsComputed(
  text: string,
  of: { readonly file: string } | { readonly program: string },
): boolean {
  const [, shebang = ""] = /^#! *(?:\S*\/env +(?:-S +)?)?(?:\S*\/)?(\S+)/.exec(text) ?? [];
  const row = languages.find(([files, programs]) =>
    "file" in of ? files.test(of.file) || programs.test(shebang) : programs.test(of.program),
  );
  return row?.[2].test(text.replaceAll(comments, "")) === true;
}
