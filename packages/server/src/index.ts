/** Exports the server of sessions over HTTP and WebSocket. Its client is in `client/index.ts`. */
export type { AnswerGiven, RoomState } from "./desk.ts";
export { openApiOf } from "./openapi.ts";
export type { SocketMessage } from "./socket.ts";
export { type RunningServer, type ServerOptions, startServer } from "./start-server.ts";
