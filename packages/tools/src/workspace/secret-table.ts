/**
 * Lists the places of passwords, keys and histories. The tools ask before they read such a file, and the sandbox closes the
 * places in the home folder and of the system.
 */

/** Files. A name without a slash counts in any folder. A name with slashes counts if a path ends with it. */
export const secretFiles: readonly string[] =
  `.npmrc .pypirc .netrc _netrc .pgpass .pg_service.conf .my.cnf .mylogin.cnf .htpasswd .git-credentials .vault-token
  .s3cfg .boto .dockercfg .databrickscfg .rclone.conf .msmtprc .fetchmailrc .mbsyncrc .smbcredentials .viminfo
  .bash_history .zsh_history .sh_history .histfile .ash_history .mysql_history .psql_history .sqlite_history
  .rediscli_history .mongo_history .dbshell .node_repl_history .python_history .irb_history .pry_history .Rhistory
  .local/share/fish/fish_history .config/fish/fish_history .config/rclone/rclone.conf .config/sops/age/keys.txt
  .config/age/keys.txt .config/glab-cli/config.yml .config/doctl/config.yaml .config/containers/auth.json
  .config/composer/auth.json .config/pypoetry/auth.toml .config/ngrok/ngrok.yml .config/msmtp/config .config/hub
  .docker/config.json .aws/credentials .cargo/credentials.toml .cargo/credentials .gem/credentials .composer/auth.json
  .m2/settings.xml .m2/settings-security.xml .nuget/NuGet/NuGet.Config .terraform.d/credentials.tfrc.json
  .pulumi/credentials.json .fly/config.yml .snowsql/config .kaggle/kaggle.json .huggingface/token
  .cache/huggingface/token .claude/.credentials.json .codex/auth.json .gemini/oauth_creds.json
  .local/share/opencode/auth.json`.split(/\s+/);

/** Folders in which everything counts as secret, except public names. */
export const secretFolders: readonly string[] = [
  ...`.ssh .gnupg .aws .azure .kube .password-store .cloudflared .mozilla .thunderbird .config/gcloud .config/gh .config/op
  .config/heroku .config/github-copilot .config/keepassxc .config/google-chrome .config/chromium
  .config/BraveSoftware .config/microsoft-edge .local/share/keyrings .subversion/auth Library/Keychains`.split(
    /\s+/,
  ),
  "Library/Application Support/Google/Chrome",
  "Library/Application Support/Firefox",
];

/** Files and folders of the system that usually only root can read. */
export const systemSecrets: readonly string[] =
  `/etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/ssl/private /run/secrets`.split(" ");
