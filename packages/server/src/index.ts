/** Sessions over HTTP and WebSocket: the server, and its client. */
export type { AnswerGiven, RoomState } from "./desk.ts";
export { openApiOf } from "./openapi.ts";
export type { SocketMessage } from "./socket.ts";
export { type RunningServer, type ServerOptions, startServer } from "./start-server.ts";
