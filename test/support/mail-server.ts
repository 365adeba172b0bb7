// A mail server on loopback, which answers each step as a test wants.
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { atEnd } from './suite.js';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The headers and the body, as they arrived. */
  readonly text: string;
}

/** The answer to a step: accepted (null), a reply such as '550 no', no answer, or a broken line. */
export type MailAnswer = string | null | 'hang' | 'break';

export interface MailAnswers {
  readonly connect?: MailAnswer;
  readonly auth?: MailAnswer;
  readonly mail?: MailAnswer;
  readonly rcpt?: (address: string) => MailAnswer;
  /** After the message has arrived. */
  readonly data?: MailAnswer;
}

export interface MailServer {
  readonly port: number;
  /** smtp://127.0.0.1:PORT */
  readonly url: string;
  /** Accepted messages, in order. */
  readonly received: ReceivedMail[];
  /** Messages that arrived, accepted or not. */
  readonly arrived: ReceivedMail[];
  answers: MailAnswers;
}

type Done = (error?: Error | null) => void;

export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const arrived: ReceivedMail[] = [];
  const reply = (answer: MailAnswer | undefined, done: Done) => {
    if (answer === 'hang') return;
    if (answer === 'break') breakConnections(server);
    else if (answer == null) done();
    else {
      const [code = ''] = answer.split(' ');
      const text = answer.slice(code.length + 1);
      done(Object.assign(new Error(text), { responseCode: Number(code) }));
    }
  };
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect: (_session, done) => reply(mail.answers.connect, done),
    onAuth: (auth, _session, done) =>
      reply(mail.answers.auth, error => done(error ?? null, { user: auth.username })),
    onMailFrom: (_address, _session, done) => reply(mail.answers.mail, done),
    onRcptTo: ({ address }, _session, done) => reply(mail.answers.rcpt?.(address), done),
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const message = {
          from: (envelope.mailFrom as { address: string }).address,
          to: envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
        };
        arrived.push(message);
        if (mail.answers.data == null) received.push(message);
        reply(mail.answers.data, done as Done);
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    breakConnections(server);
    await new Promise<void>(resolve => server.close(resolve));
  });
  const { port } = server.server.address() as AddressInfo;
  const mail: MailServer = {
    ...{ port, url: `smtp://127.0.0.1:${port}` },
    ...{ received, arrived, answers: {} },
  };
  return mail;
}

function breakConnections(server: SMTPServer): void {
  for (const connection of server.connections)
    (connection as unknown as { _socket: Socket })._socket.destroy();
}

/** A header of a message, unfolded. */
export function headerOf({ text }: ReceivedMail, name: string): string | undefined {
  const [head = ''] = text.split('\r\n\r\n');
  const unfolded = head.replaceAll(/\r\n[ \t]+/gu, ' ');
  const line = unfolded.split('\r\n').find(each => each.startsWith(`${name}: `));
  return line?.slice(name.length + 2);
}
