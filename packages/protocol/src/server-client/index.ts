/** The client of a server of sessions. It does nothing by itself: `fetch` and the WebSocket are given to it. */
export { type LinkLoss, type LiveSocket, openLiveSocket, type SocketWire } from "./live-socket.ts";
export {
  isRefusal,
  RequestError,
  redeemCode,
  type ServerAccess,
  type ServerAddress,
} from "./requests.ts";
export { createServerClient, type MethodArguments, type ServerClient } from "./server-client.ts";
