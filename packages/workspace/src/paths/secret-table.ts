/**
 * Lists the places of passwords, keys and histories. The tools ask before they read such a file, and the sandbox closes the
 * places in the home folder and of the system.
 */
import { wordsPattern } from "../patterns.ts";

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
  .local/share/opencode/auth.json .claude.json .config/stripe/config.toml .config/hcloud/cli.toml .config/netlify/config.json
  .config/filezilla/sitemanager.xml .filezilla/sitemanager.xml .config/configstore/firebase-tools.json .config/linode-cli
  .wrangler/config/default.toml .oci/config .aliyun/config.json .railway/config.json .vercel/auth.json .expo/state.json
  .circleci/cli.yml .travis/config.yml .sentryclirc .Xauthority .ICEauthority .erlang.cookie .authinfo .authinfo.gpg .lftprc
  .terraformrc terraform.rc credentials.tfrc.json pgpass.conf netrc htpasswd htdigest .htdigest rclone.conf kubeconfig
  .dockerconfigjson dockerconfig.json nuget.config local.settings.json database.yml database.yaml .flaskenv .rbenv-vars
  .nodenv-vars .lein-env .powenv cookies.txt cookies.sqlite cookies.json .cookies token.json token.pickle kaggle.json
  application_default_credentials.json wp-config.php LocalSettings.php settings.local.php local_settings.py
  settings_local.py key.properties keystore.properties signing.properties sentry.properties wpa_supplicant.conf
  wallet.dat dump.rdb logins.json key4.db appsettings.local.json appsettings.secrets.json
  appsettings.production.json talosconfig admin.conf kubelet.conf s3cfg .passwd-s3fs mongoid.yml config/parameters.yml
  vault.yml vault.yaml sftp-config.json sftp.json .ftpconfig .remote-sync.json sitemanager.xml recentservers.xml
  webservers.xml datasources.local.xml secring.gpg cwallet.sso .odbc.ini odbc.ini connectionstrings.config`.split(
    /\s+/,
  );

/**
 * Kinds of files: an expression for the name in lower case, and the kind as questions show it. Templates, and files of a folder
 * `templates`, have no values and do not count.
 */
export const secretKinds: readonly (readonly [name: RegExp, kind: string])[] = [
  [/^[\w.-]*\.tfstate(?:\..+)?$/, "*.tfstate"],
  [/\.tfvars(?:\.json)?$/, "*.tfvars"],
  [/^\.\w+\.vars(?:[._-].*)?$/, ".dev.vars"],
  [/^[\w.-]*\.?kube-?config(?:[_-][\w-]+)*(?:\.(?:ya?ml|json|conf|local|bak|old))?$/, "kubeconfig"],
  [/^\.?(?:ansible[-_])?vault[-_.]?pass(?:word|phrase|wd)?(?:[._-]?file)?(?:\.txt)?$/, "vault_pass"],
  [/^(?:.+[-_.])?client[-_]?secrets?(?:[-_.].*)?\.json$/, "client_secret*.json"],
  [
    /(?:^|[-_.])(?:credentials?|creds)(?:[-_.][\w-]+)*\.(?:json|ya?ml|toml|ini|xml|csv|properties|conf|cfg|txt|plist)$/,
    "credentials",
  ],
  [
    /(?:^|[-_.])secrets?(?:[-_.][\w-]+)*\.(?:json|ya?ml|toml|ini|xml|properties|conf|cfg|txt|plist|tfvars|config)$/,
    "secrets",
  ],
  [
    wordsPattern(
      "(?:^|[-_.])",
      "passwords? passwd passphrase api[-_]?keys? (?:access|auth|api|refresh|bearer)[-_]?tokens? token",
      String.raw`\.(?:txt|csv|json|ini|ya?ml|conf)$`,
    ),
    "passwords",
  ],
  [/^\.(?:secrets?|credentials?|creds|passwords?|passwd|tokens?|api[-_]?keys?|pat)$/, "passwords"],
  [
    /(?:service[-_]?account|firebase[-_]adminsdk|gcp[-_]?(?:key|sa|creds)|google[-_]?(?:key|creds)|sa[-_]key)[\w.-]*\.json$/,
    "service account",
  ],
  [
    /\.(?:kdb|bks|jceks|agekey|pk8|pvk|snk|keytab|keychain(?:-db)?|kwallet|ppk2?|psafe3|1pif|opvault)$/,
    "keystore",
  ],
  [/^(?:aws|azure|gcp|google|cloud|s3)[-_](?:credentials?|creds|keys?)$/, "credentials"],
  [/^(?:oauth2?|private[-_]?key)[\w-]*\.json$|\.private_?key$|^(?:private|secret)\.(?:asc|gpg)$/, "keys"],
  [
    /^krb5cc_|^utc--\d{4}-|\.wallet$|^(?:wallet|mnemonic|seed[-_]?phrase|keypair)\.(?:json|txt|dat)$/,
    "wallet",
  ],
  [
    /^(?:[\w-]+[._-])?(?:dump|backup)(?:[._-][\w-]+)*\.(?:sql|rdb|bson|archive)(?:\.(?:gz|bz2|xz|zst))?$/,
    "dump",
  ],
  [/\.(?:pgdump|dump|hprof|heapsnapshot|har|mdmp)(?:\.(?:gz|bz2|xz|zst))?$/, "dump"],
  [/^wg\d+\.conf$|\.nmconnection$|\.rdp$/, "network settings"],
  [/^(?:cookies|login data|web data)(?:-journal)?$/, "browser data"],
];

/** Folders in which everything counts as secret, except public names. */
export const secretFolders: readonly string[] = [
  ...`.ssh .gnupg .aws .azure .kube .password-store .cloudflared .mozilla .thunderbird .config/gcloud .config/gh .config/op
  .config/heroku .config/github-copilot .config/keepassxc .config/google-chrome .config/chromium
  .config/BraveSoftware .config/microsoft-edge .local/share/keyrings .subversion/auth Library/Keychains .bitcoin .ethereum
  .electrum .config/solana .near-credentials .foundry/keystores .config/Bitwarden .config/Signal .config/1Password .config/vivaldi
  .config/opera .local/share/kwalletd .step/secrets .vault-tokens .config/sops .oci .aliyun .secrets .talos .password-store.git`.split(
    /\s+/,
  ),
  ".config/Bitwarden CLI",
  "Library/Application Support/Google/Chrome",
  "Library/Application Support/Firefox",
];

/** Files and folders of the system that usually only root can read. */
export const systemSecrets: readonly string[] =
  `/etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/ssl/private /run/secrets`.split(" ");
