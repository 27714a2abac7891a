/** Files that editors, debuggers and languages run when they start or open something here. */
import { anyOf, wordsPattern } from "../../patterns.ts";
import type { ProtectedRow } from "./row.ts";

export const editorRows: readonly ProtectedRow[] = [
  {
    names: ".vscode .idea .zed .fleet .theia .vs .nova",
    family: /.\.(?:code-workspace|sublime-project)$/,
    reason: "an editor runs tasks and programs that it names when the folder is opened",
  },
  {
    names: ".devcontainer .devcontainer.json .gitpod.yml .idx .replit",
    reason: "an editor starts a container or its commands when the folder is opened",
  },
  {
    names: `.gitpod.dockerfile .ona .codesandbox .daytona devfile.yaml .devfile.yaml devfile.yml .stackblitzrc .glitch .project
      .externaltoolbuilders .factorypath .settings nbproject .lapce .atom .brackets.json .lite-xl .run`,
    family: /^vagrantfile(?:\..+)?$|\.xcscheme$/,
    reason: "an editor or a development machine runs what it names when the folder is opened",
    common: true,
  },
  {
    names: `.vimrc .gvimrc .exrc .nvimrc .nvim.lua .lvimrc .dir-locals.el .dir-locals-2.el .kakrc .helix .nvim .lazy.lua
      .ycm_extra_conf.py .lite_project.lua`,
    family: anyOf(
      /^[._]?(?:local)?(?:g|n|l|ideav)?vimrc(?:[._-].+)?$|^\.(?:local|project)\.n?vim(?:rc)?(?:\.lua)?$|^_exrc$/,
      /^\.(?:neoconf\.json|nlsp-settings|projections\.json|kakoune|micro|projectile\.el|vimspector\.json|lnvim\.lua)$/,
      /^\.(?:local|session|project)\.(?:vim|lua|el)$|^\.(?:lvim|spacevim\.d|nvim\.vim|exrc\.lua)$/,
    ),
    reason: "an editor runs the commands in it when it opens a file here",
  },
  {
    names: `hie.yaml .merlin cabal.project.local .luarc.json .luarc.jsonc rust-analyzer.toml .rust-analyzer.toml
      rust-project.json .clangd .ccls .ccls-root .clang_complete pyrightconfig.json tsserver.json .solargraph.yml .ruby-lsp.yml
      .ruby-lsp .elixir_ls .metals lspconfig.lua .nvim-lsp.json gopls.json .serena`,
    family: /^hie\.[\w-]+\.ya?ml$|^\.?languages?-?(?:client|server)[\w-]*\.(?:json|toml|ya?ml)$/,
    reason: "a language server obeys it when the folder is opened, and some start the programs that it names",
    common: true,
  },
  {
    names: ".gdbinit .lldbinit .pdbrc .gdbearlyinit .perldb .radare2rc .rizinrc .rdbgrc",
    family: anyOf(
      wordsPattern(
        String.raw`^\.`,
        `gdbinit lldbinit pdbrc rdbgrc perldb r2rc r2 cgdb jdbrc mdbrc gefrc pwndbgrc valgrindrc kgdbinit
        cudagdbinit xmdbrc adbinit dlv`,
        "(?:[._-].+)?$",
      ),
      /^(?:jdb|gdb)\.ini$|-gdb\.(?:py|gdb|scm)$/,
    ),
    reason: "a debugger runs the commands in it when it starts here",
  },
  {
    names: ".ghci .iex.exs .irbrc .pryrc .byebugrc .rprofile .renviron .ocamlinit .utoprc .erlang .octaverc",
    family: anyOf(
      wordsPattern(
        String.raw`^\.`,
        String.raw`rprofile renviron irbrc pryrc iex ghci ocamlinit psysh tclshrc wishrc sbclrc clisprc eclrc guile
        swiplrc plrc gprc maxima juliarc node_repl replrc luarc tinker jshellrc nrepl gnuplot sqliterc psqlrc
        duckdbrc usqlrc erlang\.config scalarc ammonite spark-shell lispworks lein`,
        String.raw`(?:\.(?!jsonc?$)\w+)*$`,
      ),
      /^rprofile\.site$|^maxima-init\.mac$/,
    ),
    reason: "a language runs the program in it when it starts here",
  },
  {
    names: "sitecustomize.py usercustomize.py startup.m",
    places: /^(?:site|dist)-packages\/(?:.+\/)?[^/]+\.pth$/,
    reason: "a language runs it by itself whenever it starts",
    common: true,
  },
];
