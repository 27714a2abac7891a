/** Files that shells, desktops and programs obey in a home folder or in the folders of the system. */
import type { ProtectedRow } from "./row.ts";

/** The row for the folder of the running program, of which only the program knows the path. */
export const programRow: ProtectedRow = {
  names: "",
  reason: "it is the code of this program, which decides what runs",
  place: "absolute",
  common: true,
};

export const placeRows: readonly ProtectedRow[] = [
  {
    names: ".config/localharness .local/state/localharness .cache/localharness",
    reason: "it holds this program's own settings, rules and code",
    place: "home",
  },
  {
    names: `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zprofile .zshenv .zlogin .zlogout
      .kshrc .mkshrc .cshrc .tcshrc .login .logout .inputrc .xonshrc .config/fish .xprofile .xinitrc .xsession .xsessionrc`,
    reason: "a shell or a desktop runs it at the next start",
    place: "home",
  },
  {
    names: `.jq .tmux.conf .screenrc .emacs .emacs.d .vim .config/nvim .config/helix .pythonrc .pythonrc.py .ipython .jupyter .julia/config
      .sbclrc .psyshrc.php .config/mise .config/systemd .config/autostart .local/bin library/launchagents`,
    reason: "a program runs what it says at the next start",
    place: "home",
  },
  {
    names: `.gitconfig .config/git .hgrc .ripgreprc .curlrc .wgetrc .psqlrc .sqliterc .myclirc .lessfilter .aws/config`,
    reason: "a program obeys its options, some of which start programs or send data elsewhere",
    place: "home",
  },
  {
    names: ".ssh .gnupg .netrc .git-credentials .aws/credentials",
    reason: "it decides who may sign in where, and with which keys",
    place: "home",
  },
  {
    names: `~/.config ~/.local/share/applications ~/.local/share/systemd ~/.local/share/dbus-1 ~/.local/share/nautilus
      ~/.local/share/kservices5 ~/.local/share/kio ~/.local/share/gnome-shell ~/.local/share/plasma ~/.local/lib ~/.local/etc
      ~/.local/share/fish ~/.local/share/nvim ~/.local/share/zsh ~/bin ~/library/launchdaemons ~/library/preferences
      ~/library/services ~/library/scripts ~/.gradle ~/.m2 ~/.cargo ~/.rustup ~/.pyenv ~/.rbenv ~/.nvm ~/.asdf ~/.volta
      ~/.sdkman ~/.oh-my-zsh ~/.zsh ~/.bash ~/.docker ~/.kube ~/.pam_environment ~/.forward ~/.procmailrc ~/.mailcap
      ~/.rpmmacros ~/.dbus ~/.xmonad ~/.fzf ~/.vscode-server ~/.bun ~/.deno ~/.nix-profile ~/.nix-defexpr ~/.nixpkgs`,
    reason: "programs of this account obey it or run it, in whatever folder they start",
    place: "absolute",
    common: true,
  },
  {
    names: `/bin /sbin /lib /lib32 /lib64 /boot /usr/bin /usr/sbin /usr/lib /usr/lib32 /usr/lib64 /usr/libexec /usr/local/bin
      /usr/local/sbin /usr/local/lib /usr/local/etc /usr/share/applications /usr/share/bash-completion /opt/homebrew/bin
      /opt/homebrew/etc /etc /var/spool/cron /var/spool/at /var/spool/incron /run/systemd /var/lib/systemd
      /var/lib/dpkg /var/lib/apt /nix/store /library/launchagents /library/launchdaemons /library/preferences
      /library/scripts /library/startupitems /system /private/etc /private/var/at c:/windows c:/programdata`,
    reason: "the system and the programs of all accounts run it or obey it",
    place: "absolute",
    common: true,
  },
];
