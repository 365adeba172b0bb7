// The answers of a mail server at each step, and whether the e-mail is then tried again.
import { expect } from 'chai';
import { composeEmail } from '../../src/emails/sending/compose.js';
import { deliverOverSmtp } from '../../src/emails/sending/smtp.js';
import {
  headerOf,
  type MailAnswers,
  type MailServer,
  startMailServer,
} from '../support/mail-server.js';

const ANSWER_MS = 1_500;
const FROM = 'invoices@shop.example';
const [ANN, BOB, COPY] = ['ann@example.org', 'bob@example.org', 'copy@shop.example'];
const EMAIL = {
  id: '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e42',
  date: new Date('2026-11-22T10:00:00Z'),
  sender: { name: 'Käfer & Co', replyTo: 'office@shop.example', copyTo: null },
  recipients: { to: [ANN], cc: [BOB] },
  subject: 'Invoice INV-1',
  message: 'Hello <Ann>,\n\nsee the attachment.',
  attachments: [
    { fileName: 'INV-1.pdf', mediaType: 'application/pdf', bytes: Buffer.from('%PDF-1.7 x') },
  ],
};

describe('an e-mail over SMTP', () => {
  let server: MailServer;
  before(async () => {
    server = await startMailServer();
  });

  const deliver = async (
    answers: MailAnswers,
    { to = [ANN, BOB], copyTo = null as string | null, url = server.url } = {},
  ) => {
    server.answers = answers;
    const message = await composeEmail(EMAIL, FROM);
    const signal = new AbortController().signal;
    const envelope = { from: FROM, to, copyTo };
    return deliverOverSmtp(url, ANSWER_MS)(EMAIL.id, envelope, message, signal);
  };

  it('is sent with its text twice, its attachment and its fixed id and date', async () => {
    expect(await deliver({}, { copyTo: COPY })).to.deep.equal({ type: 'sent', error: null });
    const mail = server.received.at(-1);
    if (!mail) throw new Error('nothing arrived');
    expect(mail.to).to.deep.equal([ANN, BOB, COPY]);
    expect(headerOf(mail, 'Message-ID')).to.equal(`<${EMAIL.id}@shop.example>`);
    expect(headerOf(mail, 'Date')).to.equal('Sun, 22 Nov 2026 10:00:00 +0000');
    expect(headerOf(mail, 'From')).to.match(/<invoices@shop\.example>$/u);
    expect(headerOf(mail, 'To')).to.equal(ANN);
    expect(headerOf(mail, 'Cc')).to.equal(BOB);
    expect(headerOf(mail, 'Reply-To')).to.equal('office@shop.example');
    expect(mail.text).to.include('Hello <Ann>,').and.include('Hello &lt;Ann&gt;,<br>');
    expect(mail.text).to.include('filename=INV-1.pdf');
    expect(mail.text).to.not.include(COPY);
  });

  it('cannot get a header or a recipient from a text', async () => {
    const evil = 'x\r\nBcc: eve@example.org\r\n\r\nHello';
    const sender = { ...EMAIL.sender, name: evil };
    const message = await composeEmail({ ...EMAIL, subject: evil, sender }, FROM);
    const mail = { from: FROM, to: [], text: message.toString() };
    expect(headerOf(mail, 'Bcc')).to.equal(undefined);
    expect(headerOf(mail, 'Subject')).to.equal('x Bcc: eve@example.org Hello');
  });

  it('names the refused addresses if others are accepted', async () => {
    const rcpt = (address: string) => (address === BOB ? '450 come back later' : null);
    const { type, error } = await deliver({ rcpt });
    expect(type).to.equal('sent');
    expect(error?.code).to.equal('smtp_refused');
    expect(error?.rejected).to.deep.equal([{ address: BOB, reply: '450 come back later' }]);
  });

  it('has failed if all addresses are refused for good, else it waits', async () => {
    const refused = await deliver({ rcpt: () => '550 no such user' });
    expect(refused.type).to.equal('failed');
    expect(refused.error?.rejected).to.have.lengthOf(2);
    const mixed = await deliver({ rcpt: address => (address === BOB ? '450 later' : '550 no') });
    expect(mixed.type).to.equal('postponed');
  });

  it('does not count as sent if only the copy is accepted', async () => {
    const rcpt = (address: string) => (address === COPY ? null : '550 no such user');
    const { type, error } = await deliver({ rcpt }, { copyTo: COPY });
    expect(type).to.equal('failed');
    expect(error?.rejected.map(({ address }) => address)).to.deep.equal([ANN, BOB]);
    const copyRefused = (address: string) => (address === COPY ? '550 no' : null);
    const sent = await deliver({ rcpt: copyRefused }, { copyTo: COPY });
    expect(sent).to.deep.equal({ type: 'sent', error: null });
  });

  it('goes once to a recipient who also gets the copies', async () => {
    const rcpt = (address: string) => (address === ANN ? '550 no such user' : null);
    const { type, error } = await deliver({ rcpt }, { copyTo: ANN });
    expect(type).to.equal('sent');
    expect(error?.rejected.map(({ address }) => address)).to.deep.equal([ANN]);
    expect((await deliver({}, { copyTo: ANN })).type).to.equal('sent');
    expect(server.received.at(-1)?.to).to.deep.equal([ANN, BOB]);
  });

  it('has failed if the message is refused for good', async () => {
    const { type, error } = await deliver({ data: '554 looks like spam' });
    expect(type).to.equal('failed');
    expect(error?.detail).to.include('554 looks like spam');
  });

  it('names the refused addresses if the message then fails, too', async () => {
    const rcpt = (address: string) => (address === BOB ? '550 no such user' : null);
    for (const data of ['554 spam', '452 disk full', 'break', 'hang'] as const) {
      const { error } = await deliver({ rcpt, data });
      expect(error?.rejected, data).to.deep.equal([{ address: BOB, reply: '550 no such user' }]);
    }
    // After a refused sender, a server refuses each address without looking at it.
    const { error } = await deliver({ mail: '550 no relay', rcpt });
    expect(error?.rejected).to.deep.equal([]);
  });

  const POSTPONED: readonly [name: string, answers: MailAnswers, code: string][] = [
    ['the connection is refused with 554', { connect: '554 not you' }, 'smtp_refused'],
    ['the connection is refused with 421', { connect: '421 busy' }, 'smtp_refused'],
    ['the server does not greet', { connect: 'hang' }, 'smtp_unreachable'],
    ['the sender is refused with 550', { mail: '550 no relay' }, 'smtp_refused'],
    ['the sender is not answered', { mail: 'hang' }, 'smtp_unreachable'],
    ['the addresses are refused with 451', { rcpt: () => '451 later' }, 'smtp_refused'],
    ['the addresses are not answered', { rcpt: () => 'hang' }, 'smtp_unreachable'],
    ['the message is refused with 452', { data: '452 disk full' }, 'smtp_refused'],
    ['the message is not answered', { data: 'hang' }, 'smtp_unreachable'],
    ['the connection breaks before the greeting', { connect: 'break' }, 'smtp_unreachable'],
    ['the connection breaks at the addresses', { rcpt: () => 'break' }, 'smtp_unreachable'],
    ['the connection breaks after the message', { data: 'break' }, 'smtp_unreachable'],
  ];
  for (const [name, answers, code] of POSTPONED)
    it(`is tried again if ${name}`, async () => {
      const { type, error } = await deliver(answers);
      expect(type).to.equal('postponed');
      expect(error?.code).to.equal(code);
    });

  it('is tried again if the user is refused, and names no password', async () => {
    const url = server.url.replace('//', '//shop:s%40cret@');
    const { type, error } = await deliver({ auth: '535 wrong password' }, { url });
    expect(type).to.equal('postponed');
    expect(JSON.stringify(error)).to.not.match(/s@cret|s%40cret/u);
    expect((await deliver({}, { url })).type).to.equal('sent');
  });

  it('is tried again if there is no server', async () => {
    const { type, error } = await deliver({}, { url: 'smtp://127.0.0.1:1' });
    expect(type).to.equal('postponed');
    expect(error?.code).to.equal('smtp_unreachable');
    expect(error?.detail).to.not.include('127.0.0.1');
  });

  it('ends when it is aborted', async () => {
    server.answers = { data: 'hang' };
    const abort = new AbortController();
    const message = await composeEmail(EMAIL, FROM);
    const envelope = { from: FROM, to: [ANN], copyTo: null };
    const delivering = deliverOverSmtp(server.url)(EMAIL.id, envelope, message, abort.signal);
    setTimeout(() => abort.abort(), 300);
    expect((await delivering).type).to.equal('postponed');
  });

  it('uses STARTTLS where it is offered, with any certificate on loopback', async () => {
    const secured = await startMailServer({ disabledCommands: ['AUTH'] });
    const { type } = await deliver({}, { url: secured.url });
    expect(type).to.equal('sent');
    expect(secured.received).to.have.lengthOf(1);
  });
});
