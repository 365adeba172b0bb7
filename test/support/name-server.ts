// A name server on loopback (RFC 1035), which answers as a test wants.
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { isIP, isIPv4 } from 'node:net';
import { atEnd } from './suite.js';

/** The addresses of a name; none: there is no such name; null: no answer. */
export type FindAddresses = (name: string) => readonly string[] | null;

export interface NameServer {
  /** 127.0.0.1:PORT, for WEBHOOK_DNS. */
  readonly address: string;
  /** The names that were asked for, once per record type. */
  readonly questions: string[];
  find: FindAddresses;
}

const HEADER_BYTES = 12;
const TYPE_A = 1;
const TYPE_AAAA = 28;
const NO_SUCH_NAME = 3;

export async function startNameServer(find: FindAddresses): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  atEnd(async () => void socket.close());
  const server: NameServer = {
    address: `127.0.0.1:${socket.address().port}`,
    questions: [],
    find,
  };
  socket.on('message', (message: Buffer, { port, address }: RemoteInfo) => {
    const question = readQuestion(message);
    server.questions.push(question.name);
    const found = server.find(question.name);
    if (found) socket.send(answerTo(message, question, found), port, address);
  });
  return server;
}

interface Question {
  readonly name: string;
  readonly type: number;
  /** Where it ends in the message. */
  readonly end: number;
}

function readQuestion(message: Buffer): Question {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(message: Buffer, { type, end }: Question, found: readonly string[]): Buffer {
  const addresses = found.filter(address =>
    isIPv4(address) ? type === TYPE_A : type === TYPE_AAAA && isIP(address) === 6,
  );
  const header = Buffer.from(message.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8180 | (found.length === 0 ? NO_SUCH_NAME : 0), 2);
  header.writeUInt16BE(addresses.length, 6);
  header.fill(0, 8);
  return Buffer.concat([header, message.subarray(HEADER_BYTES, end), ...addresses.map(record)]);
}

/** A record of the question's name, which is not cached. */
function record(address: string): Buffer {
  const bytes = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : bytesOf(address);
  const start = Buffer.alloc(12);
  start.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  start.writeUInt16BE(isIPv4(address) ? TYPE_A : TYPE_AAAA, 2);
  start.writeUInt16BE(1, 4);
  start.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([start, bytes]);
}

function bytesOf(address: string): Buffer {
  const [head = '', tail] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [left, right] = [groups(head), groups(tail ?? '')];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return Buffer.from(
    [...left, ...zeros, ...right].map(group => group.padStart(4, '0')).join(''),
    'hex',
  );
}
