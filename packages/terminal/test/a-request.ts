/** A permission request that tests complete with what they are about. */
import type { PermissionRequest } from "@localharness/protocol";

export const aRequest: PermissionRequest = {
  requestId: "r1",
  callId: "c1",
  toolName: "bash",
  arguments: { command: "ls" },
  argumentsHash: "",
  risk: "high",
  rule: "",
  reason: "",
  covers: "",
  concerns: [],
};
