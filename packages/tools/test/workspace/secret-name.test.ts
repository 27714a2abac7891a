import { expect, test } from "vitest";
import { secretName } from "../../src/workspace/secret-name.ts";

test.each([
  [".env"],
  [".ENV"],
  [".env.local"],
  ["apps/web/.env.production"],
  ["prod.env"],
  [".e\u200bnv"],
  [".env::$DATA"],
  ["certs/server.pem"],
  ["private.key"],
  ["id_ed25519"],
  [".ssh/config"],
  [".npmrc"],
  [".netrc"],
  [".aws/credentials"],
  ["home/.kube/config"],
  [".git-credentials"],
  [".env~"],
  ["#.env#"],
  [".env.swp"],
  [".env-local"],
  ["prod.env~"],
  ["id_rsa.old"],
  ["keys/id_ed25519_work"],
  ["AuthKey_1.p8"],
  [".bash_history"],
  [".config/rclone/rclone.conf"],
  [".config/sops/age/keys.txt"],
  [".local/share/fish/fish_history"],
  [".sqlite_history"],
  [".kube/cache/token"],
  [".azure/accessTokens.json"],
  [".mozilla/firefox/x/logins.json"],
  [".password-store/mail.gpg"],
  ["/etc/shadow"],
  ["/etc/ssh/ssh_host_ed25519_key"],
  ["/run/secrets/token"],
  [".config/gcloud/application_default_credentials.json"],
])("%j is a secret", (path) => {
  expect(secretName(path)).toBeDefined();
});

test.each([
  [".env", ".env"],
  [".env.local", ".env.*"],
  ["prod.env", "*.env"],
  ["sk-123.pem", "*.pem"],
  [".ssh/sk-123", ".ssh"],
  ["a/.aws/credentials", ".aws/credentials"],
])("%j counts as %s, which repeats nothing of it", (path, name) => {
  expect(secretName(path)).toBe(name);
});

test.each([
  ["."],
  [".env.example"],
  [".env.sample"],
  [".env.local.template"],
  ["env.ts"],
  ["src/environment.ts"],
  ["id_rsa.pub"],
  [".ssh/known_hosts"],
  [".ssh/id_rsa.pub"],
  ["keys.ts"],
  ["monkey"],
  ["aws/credentials.md"],
  [".envrc"],
  ["src/run/secrets/index.ts"],
  ["etc/shadow"],
  [".config/app.json"],
  ["ssh_host_rsa_key.pub"],
  [".env-example"],
  [".env_sample"],
  ["id_rsa_work.pub"],
  ["id_rsafile.ts"],
  ["config"],
])("%j is none", (path) => {
  expect(secretName(path)).toBeUndefined();
});
