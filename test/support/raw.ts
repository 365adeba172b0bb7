// Raw bytes on a socket, for requests that no HTTP client would send.
import { connect, type Socket } from 'node:net';
import { until } from './processes.js';

export interface RawConnection {
  readonly socket: Socket;
  /** Everything received so far. */
  text(): string;
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>;
}

export function openRaw(port: number): RawConnection {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', chunk => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()));
  return { socket, text: () => text, closed };
}

/**
 * Sends the bytes and returns everything received until the server closes the connection. With
 * `end` the client closes its side first. Rejects if the server has not closed within `timeoutMs`.
 */
export async function exchange(
  port: number,
  bytes: string | Buffer,
  timeoutMs = 15_000,
  end = false,
): Promise<string> {
  const connection = openRaw(port);
  if (end) connection.socket.end(bytes);
  else connection.socket.write(bytes);
  let isClosed = false;
  void connection.closed.then(() => {
    isClosed = true;
  });
  try {
    await until(
      `closed after ${JSON.stringify(connection.text())}`,
      async () => isClosed,
      timeoutMs,
    );
  } finally {
    connection.socket.destroy();
  }
  return connection.text();
}

/** The status of the first response in the bytes. */
export function statusOf(text: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /u.exec(text)?.[1] ?? 0);
}
