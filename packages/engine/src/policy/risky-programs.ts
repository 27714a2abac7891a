/** Programs that run whatever their arguments say: a rule that allows them with any arguments allows everything. */

const interpreters =
  "sh bash rbash dash ash zsh ksh rksh mksh lksh oksh posh yash fish csh tcsh elvish nu xonsh pwsh powershell cmd busybox toybox python pypy perl ruby node nodejs tsx ts-node vite-node babel-node nodemon deno bun php lua luajit tclsh wish Rscript julia groovy jshell java scala kotlin swift osascript awk gawk mawk nawk sed gsed ed ex vi vim nvim emacs gdb lldb m4 bc dc irb ipython guile racket sbcl ghci erl elixir iex expect sqlite3 psql mysql";

const wrappers =
  "sudo su runuser doas run0 pkexec env direnv mise asdf rbenv pyenv nix nix-shell conda nice ionice nohup timeout gtimeout time stdbuf setsid setarch unshare nsenter chroot bwrap firejail xargs parallel find gfind fd fdfind watch watchexec entr hyperfine unbuffer rlwrap fakeroot proot prlimit numactl valgrind sshpass proxychains proxychains4 torsocks exec eval command builtin source . coproc script strace ltrace perf flock taskset chrt systemd-run at batch crontab ssh rsh scp sftp rsync docker podman kubectl tmux screen xterm make gmake ninja just task rake ant mvn gradle npx pnpx bunx uvx pipx tar zip unzip man less more pager open xdg-open trap nc ncat socat openssl curl wget";

const packageRunners = "npm pnpm yarn bun pip uv poetry pipenv hatch rye cargo go gem bundle composer dotnet";

const git = "git hg svn gh glab";

const named: ReadonlyMap<string, string> = new Map(
  (
    [
      ["an interpreter", interpreters],
      ["a program that runs others", wrappers],
      ["a program that runs what a project says", packageRunners],
      ["a program that runs what a repository says", git],
    ] as const
  ).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind] as const)),
);

/** What makes a program unfit for "with any arguments"; undefined for one that is not known to be. */
export function riskOfProgram(program: string): string | undefined {
  const name = program.slice(program.lastIndexOf("/") + 1).replace(/\.exe$/i, "");
  // python3.12, ruby3.3, node22: a version is the same program.
  return named.get(name) ?? named.get(name.replace(/[\d.-]+$/, "")) ?? named.get(name.toLowerCase());
}
