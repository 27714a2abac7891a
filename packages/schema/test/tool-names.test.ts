/** Names of tools as models and servers write them. */
import { toolNames } from "@localharness/schema";
import { describe, expect, test } from "vitest";

const tools = [
  { name: "send_mail", aliases: ["post_letter"] },
  { name: "list_mails" },
  { name: "mail" },
  { name: "export" },
  { name: "mail.search" },
];
const names = toolNames(tools);

describe("a name that means a tool", () => {
  test.each([
    ["send_mail", "send_mail"],
    ["Send-Mail", "send_mail"],
    ["sendMail", "send_mail"],
    [" `send_mail` ", "send_mail"],
    ['"send_mail"', "send_mail"],
    ["post_letter", "send_mail"],
    ["PostLetter", "send_mail"],
    ["send_mail()", "send_mail"],
    ["send_mail( )", "send_mail"],
    ["send_mail:", "send_mail"],
    ["send_mail:3", "send_mail"],
    ["functions.send_mail:12", "send_mail"],
    ["functions.list_mails", "list_mails"],
    ["functions_list_mails", "list_mails"],
    ["tools/list_mails", "list_mails"],
    ["office.send_mail", "send_mail"],
    ["send_mail<|channel|>analysis", "send_mail"],
    ["send_mail<|constrain|>json", "send_mail"],
    ["send_mail<|channel|>commentary json", "send_mail"],
    ["functions.send_mail<|channel", "send_mail"],
    ["<|start|>assistant<|channel|>commentary to=functions.send_mail", "send_mail"],
    ["assistantcommentary to=functions.send_mail json", "send_mail"],
    ["<｜tool▁sep｜>send_mail", "send_mail"],
    ["to=send_mail", "send_mail"],
    ["send_mailjson", "send_mail"],
    ["send_mailcommentary", "send_mail"],
    ["functions.send_mailcommentaryjson", "send_mail"],
    ["<tool_call>send_mail", "send_mail"],
    ["<function=send_mail>", "send_mail"],
    ["send_mail</function>", "send_mail"],
    ["send_mail</functi", "send_mail"],
    ["<function send_mail", "send_mail"],
    ["[TOOL_CALLS]send_mail[ARGS]", "send_mail"],
    ["send_mail\n```json", "send_mail"],
    ["send_mail {", "send_mail"],
    ["mail.search", "mail.search"],
    ["functions.mail.search", "mail.search"],
    ["mailjson", "mail"],
  ])("%j", (name, tool) => {
    expect(names.resolve(name)?.name).toBe(tool);
    expect(names.exact(name)?.name).toBe(name === tool ? tool : undefined);
  });
});

describe("a name that means no tool, or more than one", () => {
  test.each([
    "",
    "()",
    "send",
    "send_mails",
    "send_mail_2",
    "resend_mail",
    "export_json",
    "send_mail_json",
    "send_mail<|channel|>list_mails",
    "send_mail, list_mails",
    "send_mail and more",
    "<word send_mail",
    "send_mail <word",
    "</word send_mail",
    "mcp__office__send_mail",
    "commentary",
    "<|channel|>commentary",
    "json",
    "x".repeat(10_000),
  ])("%j", (name) => {
    expect(names.resolve(name)).toBeUndefined();
  });

  test("two tools whose names differ only in their spelling", () => {
    const alike = toolNames([{ name: "get_user" }, { name: "getUser" }]);
    expect(alike.resolve("get-user")).toBeUndefined();
    expect(alike.resolve("getUser")?.name).toBe("getUser");
  });
});

test("a tool is found by its name before any alias", () => {
  const both = toolNames([{ name: "find", aliases: ["search"] }, { name: "search" }]);
  expect(both.resolve("Search")?.name).toBe("search");
});
