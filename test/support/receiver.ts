// Receivers of webhooks on loopback: a server that keeps a journal of all requests, and servers
// that misbehave at the level of TCP.
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { atEnd } from './suite.js';

export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly atMs: number;
}

/** Ends the response, or does not. */
export type AnswerWebhook = (webhook: ReceivedWebhook, response: ServerResponse) => void;

export interface Receiver {
  readonly port: number;
  /** http://127.0.0.1:PORT */
  readonly url: string;
  /** In the order in which they arrived. */
  readonly received: ReceivedWebhook[];
  readonly server: Server;
  answer: AnswerWebhook;
}

export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = ''): AnswerWebhook =>
  (_webhook, response) =>
    void response.writeHead(status, headers).end(body);

export async function startReceiver(answer: AnswerWebhook = answerWith(204)): Promise<Receiver> {
  const server = createServer();
  const port = await listenUntilEnd(server);
  const receiver: Receiver = {
    port,
    url: `http://127.0.0.1:${port}`,
    received: [],
    server,
    answer,
  };
  server.on('request', (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      const body = Buffer.concat(chunks).toString();
      const webhook = { path, headers, body, atMs: Date.now() };
      receiver.received.push(webhook);
      receiver.answer(webhook, response);
    });
  });
  return receiver;
}

/** A server that gets the raw connections. */
export async function startTcpReceiver(serve: (socket: Socket) => void): Promise<{
  readonly port: number;
  readonly url: string;
  readonly connections: () => number;
}> {
  let connections = 0;
  const server = createTcpServer(socket => {
    connections += 1;
    socket.on('error', () => undefined);
    serve(socket);
  });
  const port = await listenUntilEnd(server);
  return { port, url: `http://127.0.0.1:${port}`, connections: () => connections };
}

/** Throws unless the webhook is signed with the secret, by the library of Standard Webhooks. */
export function verifyWebhook({ headers, body }: ReceivedWebhook, secret: string): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

async function listenUntilEnd(server: ReturnType<typeof createTcpServer>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}
