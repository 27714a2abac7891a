/** Exports the server of sessions over HTTP and WebSocket. Its client is in `client/index.ts`. */
export { openApiOf } from "./openapi.ts";
export { type ListeningServer, type ServerOptions, startServer } from "./start-server.ts";
