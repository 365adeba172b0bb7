// Sending documents by e-mail, from the request to a mail server on loopback.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { changeProfile } from '../../src/companies/profile/service.js';
import { closeDatabase } from '../../src/platform/db/connection.js';
import type { Json } from '../support/client.js';
import { makeCustomer } from '../support/customers.js';
import { addKey, fieldErrors, makeCompany, type TestCompany } from '../support/factories.js';
import { credit, issue } from '../support/ledger.js';
import { headerOf, type MailServer, startMailServer } from '../support/mail-server.js';
import { until } from '../support/processes.js';
import {
  inBothModes,
  type Mode,
  makeStores,
  openForTests,
  type Stack,
  startForTests,
} from '../support/suite.js';

const ADDRESS = { line1: '1 Quay', city: 'Bremen', postalCode: '28195', country: 'DE' };
const PROFILE = {
  ...{ address: ADDRESS, taxId: 'DE123456789', legalName: 'Harbour GmbH' },
  ...{ email: 'office@harbour.example', emailCopy: 'archive@harbour.example' },
};
const CUSTOMER = {
  ...{ name: 'Castle', address: ADDRESS, email: 'ap@castle.example' },
  emailCc: ['cc@castle.example'],
};
const TAXED = { items: [{ name: 'Pump', qty: 2, price: 50, taxRate: 19 }] };
const INVOICE = { customerName: 'Castle', date: '2026-11-22', ...TAXED };
const AS = { companyId: '', to: ['ann@example.org'] };

let mail: MailServer;

async function makeMailStack(mode: Mode): Promise<Stack> {
  const stores = await makeStores(mode);
  mail = await startMailServer();
  const settings = { MAIL_FROM: 'invoices@shop.example', MAIL_RETRY_SECONDS: '1,2' };
  const env = { ...stores.env, MAIL_URL: mail.url, ...settings };
  const web = await startForTests(['web', 'worker', 'scheduler'], env);
  return { ...stores, env, web, baseUrl: `http://127.0.0.1:${web.port}` };
}

inBothModes(
  'e-mails',
  stack => {
    before(() => {
      openForTests(stack().databaseUrl, 4);
    });
    after(closeDatabase);
    beforeEach(() => {
      mail.answers = {};
      mail.received.splice(0);
      mail.arrived.splice(0);
    });

    const company = async (profile: object = PROFILE, scopes?: readonly string[]) => {
      const made = await makeCompany(stack(), { currency: 'EUR', ...(scopes ? { scopes } : {}) });
      await changeProfile(made.companyId, profile, null);
      return made;
    };
    const withCustomer = async () => {
      const owner = await company();
      await makeCustomer(owner, CUSTOMER);
      return owner;
    };
    const ended = async (owner: TestCompany, id: string): Promise<Json> => {
      let email: Json = null;
      await until('the e-mail is sent or has failed', async () => {
        email = (await owner.get(`/emails/${id}`)).body;
        return email.status !== 'queued';
      });
      return email;
    };
    const emailsOf = async (owner: TestCompany, documentId: string): Promise<Json[]> =>
      (await owner.get(`/emails?documentId=${documentId}`)).body;
    const attachments = (owner: TestCompany) =>
      stack().sql<{ name: string; type: string; start: string }>(
        `SELECT file_name AS name, media_type AS type,
           convert_from(substring(bytes FROM 1 FOR 5), 'UTF8') AS start
         FROM email_attachments WHERE company_id = $1 ORDER BY email_id, position`,
        [owner.companyId],
      );

    it('are sent to the addresses of the record, with the PDF, and kept', async () => {
      const owner = await withCustomer();
      const invoice = await issue(owner, INVOICE);
      const response = await owner.post('/emails', { invoiceId: invoice.id });
      expect(response.status, response.text).to.equal(202);
      const { id } = response.body;
      expect(response.headers.location).to.equal(`/api/external/emails/${id}`);
      expect(response.body).to.deep.include({
        ...{ type: 'invoice', documentId: invoice.id, number: invoice.number },
        ...{ to: ['ap@castle.example'], cc: ['cc@castle.example'], status: 'queued' },
        ...{ subject: `Invoice ${invoice.number} from Harbour GmbH`, error: null, sentAt: null },
      });
      const email = await ended(owner, id);
      expect(email).to.deep.include({ status: 'sent', attempts: 1, error: null });
      const [message] = mail.received;
      if (!message) throw new Error('nothing arrived');
      expect(message.to).to.deep.equal([...email.to, ...email.cc, PROFILE.emailCopy]);
      expect(message.text).to.not.include(PROFILE.emailCopy);
      expect(headerOf(message, 'From')).to.equal('Harbour GmbH <invoices@shop.example>');
      expect(headerOf(message, 'Reply-To')).to.equal(PROFILE.email);
      expect(headerOf(message, 'Message-ID')).to.equal(`<${id}@shop.example>`);
      const name = `${invoice.number}.pdf`;
      expect(await attachments(owner)).to.deep.equal([
        { name, type: 'application/pdf', start: '%PDF-' },
      ]);
    });

    it('have their own addresses, text and forms, each address once', async () => {
      const owner = await withCustomer();
      const invoice = await issue(owner, INVOICE);
      const note = await credit(owner, invoice, { items: [{ line: 1, qty: 1 }] });
      const texts = { subject: 'Your credit note', message: 'Dear Ann,\nsee below.' };
      const to = ['ann@example.org', 'ANN@example.org'];
      const sent = { creditNoteId: note.id, to, attach: ['pdf', 'ubl'], ...texts };
      const { body } = await owner.post('/emails', sent);
      expect(body).to.deep.include({ type: 'creditNote', number: note.number, cc: [] });
      expect(body.to).to.deep.equal(['ann@example.org']);
      await ended(owner, body.id);
      expect(mail.received[0]?.text).to.include('Dear Ann,\r\nsee below.');
      expect((await attachments(owner)).map(({ type }) => type)).to.deep.equal([
        'application/pdf',
        'application/xml',
      ]);
    });

    it('count an address that is named twice once', async () => {
      const owner = await company();
      const { id: invoiceId } = await issue(owner, INVOICE);
      const to = Array.from({ length: 10 }, (_, at) => `a${at}@example.org`);
      const response = await owner.post('/emails', { invoiceId, to: [...to, ...to], cc: to });
      expect(response.status, response.text).to.equal(202);
      expect(response.body).to.deep.include({ to, cc: [] });
    });

    it('refuse what cannot be an address, a text or a document', async () => {
      const owner = await company();
      const invoice = await issue(owner, INVOICE);
      const errorsOf = async (more: object) =>
        fieldErrors(await owner.post('/emails', { invoiceId: invoice.id, ...more }));
      expect(await errorsOf({})).to.deep.equal(['/to required']);
      const broken = ['a b@x.org', '"a"@x.org', 'a@x', 'ä@x.org', 'a@x.org, b@x.org', 'a@x.org\n.'];
      for (const address of [...broken, '<a@x.org>', 'a@[1.2.3.4]', 'A <a@x.org>'])
        expect(await errorsOf({ to: [address] }), address).to.deep.equal(['/to/0 invalid_value']);
      const many = Array.from({ length: 6 }, (_, at) => `a${at}@x.org`);
      const others = many.map(address => `b${address}`);
      expect(await errorsOf({ to: many, cc: others })).to.deep.equal(['/cc too_many_items']);
      expect(await errorsOf({ to: [...many, ...others] })).to.deep.equal(['/to too_many_items']);
      expect(await errorsOf({ to: 'a@x.org' })).to.deep.equal(['/to wrong_type']);
      const to = ['a@x.org'];
      expect(await errorsOf({ to, subject: 'x\r\nBcc: b@x.org' })).to.deep.equal([
        '/subject invalid_value',
      ]);
      expect(await errorsOf({ to, attach: [] })).to.deep.equal(['/attach empty']);
      expect(await errorsOf({ to: [] })).to.deep.equal(['/to empty']);
      expect(await errorsOf({ to, invoiceId: uuidv7() })).to.deep.equal([
        '/invoiceId unknown_invoice',
      ]);
      expect(await errorsOf({ to, invoiceId: null, creditNoteId: invoice.id })).to.deep.equal([
        '/creditNoteId invalid_value',
      ]);
      const unknown = { invoiceId: uuidv7(), subject: '' };
      expect(await errorsOf({ ...unknown, cc: ['a@x'] })).to.have.members([
        ...['/invoiceId unknown_invoice', '/subject empty', '/cc/0 invalid_value'],
      ]);
      expect(await errorsOf({ ...unknown, to: [...many, ...others] })).to.have.members([
        ...['/invoiceId unknown_invoice', '/subject empty', '/to too_many_items'],
      ]);
    });

    it('say once what is wrong with recipients of a wrong type', async () => {
      const owner = await company();
      await makeCustomer(owner, { ...CUSTOMER, email: '"a"@x.org', emailCc: ['"b"@x.org'] });
      const { id: invoiceId } = await issue(owner, INVOICE);
      const refused = await owner.post('/emails', { invoiceId, to: 'a@x.org', cc: 'b@x.org' });
      expect(fieldErrors(refused)).to.deep.equal(['/to wrong_type', '/cc wrong_type']);
    });

    it('refuse a void invoice, and a document that cannot be made', async () => {
      const owner = await company();
      const invoice = await issue(owner, INVOICE);
      const { to } = AS;
      const xml = await owner.post('/emails', { invoiceId: invoice.id, to, attach: ['ubl'] });
      expect([xml.status, xml.body.code]).to.deep.equal([409, 'document_incomplete']);
      await owner.post(`/invoices/${invoice.id}/void`, { reason: 'Twice' });
      const refused = await owner.post('/emails', { invoiceId: invoice.id, to });
      expect([refused.status, refused.body.code]).to.deep.equal([409, 'invalid_state']);
      const other = await makeCompany(stack());
      const { id: invoiceId } = await issue(other, INVOICE);
      const incomplete = await other.post('/emails', { invoiceId, to });
      expect([incomplete.status, incomplete.body.code]).to.deep.equal([409, 'document_incomplete']);
    });

    it('are sent once for one Idempotency-Key, however many requests arrive', async () => {
      const owner = await withCustomer();
      const { id: invoiceId } = await issue(owner, INVOICE);
      const keyed = { headers: { 'idempotency-key': uuidv7() } };
      const send = () => owner.post('/emails', { invoiceId }, keyed);
      const answers = await Promise.all(Array.from({ length: 5 }, send));
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([202]));
      expect(new Set(answers.map(({ body }) => body.id)).size).to.equal(1);
      await owner.post(`/invoices/${invoiceId}/void`, { reason: 'Twice' });
      const again = await send();
      expect(again.headers['idempotency-replayed']).to.equal('true');
      expect(await emailsOf(owner, invoiceId)).to.have.lengthOf(1);
      const reused = await owner.post('/emails', { invoiceId, to: AS.to }, keyed);
      expect(reused.body.code).to.equal('idempotency_key_reused');
      expect(reused.body.detail).to.contain('Use a new key.');
    });

    it('are listed newest first, by status, document and day', async () => {
      const owner = await withCustomer();
      const { id: invoiceId } = await issue(owner, INVOICE);
      const ids: string[] = [];
      for (let count = 0; count < 3; count += 1)
        ids.unshift((await owner.post('/emails', { invoiceId })).body.id);
      const first = await owner.get('/emails?limit=2');
      const next = /<[^>]*\/api\/external([^>]*)>/u.exec(String(first.headers.link))?.[1] ?? '';
      const second = await owner.get(next);
      const listed = [...first.body, ...second.body].map(({ id }: Json) => id);
      expect(listed).to.deep.equal(ids);
      await ended(owner, ids[0] ?? '');
      const day = first.body[0].createdAt.slice(0, 10);
      const of = async (filter: string) => (await owner.get(`/emails?${filter}`)).body.length;
      expect(await of(`from=${day}&to=${day}`)).to.equal(3);
      expect(await of('from=2100-01-01')).to.equal(0);
      expect(await of('status=failed')).to.equal(0);
      expect(await of(`documentId=${uuidv7()}`)).to.equal(0);
    });

    it('need a key that may send documents', async () => {
      const owner = await company(PROFILE, ['invoices:read', 'invoices:write']);
      for (const response of [
        await owner.get('/emails'),
        await owner.post('/emails', {}),
        await owner.post('/invoices', { ...INVOICE, send: true }),
      ]) {
        expect(response.status).to.equal(403);
        expect(response.body.requiredScope).to.equal('documents:send');
      }
    });

    it('are tried again after an answer that is not final, under one Message-ID', async () => {
      const owner = await withCustomer();
      const { id: invoiceId } = await issue(owner, INVOICE);
      mail.answers = { data: '451 try later' };
      const { id } = (await owner.post('/emails', { invoiceId })).body;
      await until('it was tried', async () => mail.arrived.length > 0);
      await until('the answer is stored', async () => {
        const { body } = await owner.get(`/emails/${id}`);
        return body.error?.code === 'smtp_refused' && body.status === 'queued';
      });
      mail.answers = {};
      expect(await ended(owner, id)).to.deep.include({ status: 'sent', error: null });
      const ids = mail.arrived.map(message => headerOf(message, 'Message-ID'));
      expect(ids.length).to.be.greaterThan(1);
      expect(new Set(ids)).to.deep.equal(new Set([`<${id}@shop.example>`]));
    });

    it('have failed after the last attempt, or when they are refused for good', async () => {
      const owner = await withCustomer();
      const { id: invoiceId } = await issue(owner, INVOICE);
      mail.answers = { mail: '451 try later' };
      const { id } = (await owner.post('/emails', { invoiceId })).body;
      const failed = await ended(owner, id);
      expect(failed).to.deep.include({ status: 'failed', attempts: 3, sentAt: null });
      mail.answers = { rcpt: () => '550 no such user' };
      const { id: refusedId } = (await owner.post('/emails', { invoiceId })).body;
      const refused = await ended(owner, refusedId);
      expect(refused).to.deep.include({ status: 'failed', attempts: 1 });
      expect(refused.error.rejected).to.have.lengthOf(2);
      const { events } = (await owner.get('/events?types=email.*')).body;
      expect(events.map(({ type, data }: Json) => [type, data])).to.deep.equal([
        ['email.failed', failed],
        ['email.failed', refused],
      ]);
    });

    it('do not try an address again that was refused for good', async () => {
      const owner = await withCustomer();
      const { id: invoiceId } = await issue(owner, INVOICE);
      const [refused, accepted] = ['gone@example.org', 'ann@example.org'];
      const tried: string[] = [];
      const rcpt = (address: string) => {
        tried.push(address);
        return address === refused ? '550 no such user' : null;
      };
      mail.answers = { rcpt, data: '452 disk full' };
      const { id } = (await owner.post('/emails', { invoiceId, to: [refused, accepted] })).body;
      const rejected = [{ address: refused, reply: '550 no such user' }];
      await until('the answer is stored', async () => {
        const { body } = await owner.get(`/emails/${id}`);
        return body.error?.code === 'smtp_refused' && body.error.rejected.length === 1;
      });
      mail.answers = { rcpt };
      const sent = await ended(owner, id);
      expect(sent.status).to.equal('sent');
      expect(sent.error).to.deep.include({ code: 'smtp_refused', rejected });
      expect(tried.filter(address => address === refused)).to.have.lengthOf(1);
    });

    it('hold no transaction open while the mail server is silent', async () => {
      const owner = await withCustomer();
      const { id: invoiceId } = await issue(owner, INVOICE);
      mail.answers = { data: 'hang' };
      await owner.post('/emails', { invoiceId });
      await until('the message has arrived', async () => mail.arrived.length > 0);
      const [row] = await stack().sql<{ open: number }>(
        `SELECT count(*)::int AS open
         FROM pg_stat_activity
         WHERE datname = current_database() AND state LIKE 'idle in transaction%'
           AND now() - state_change > interval '300 milliseconds'`,
      );
      expect(row?.open).to.equal(0);
      expect((await owner.post('/invoices', INVOICE)).status).to.equal(201);
    });

    const fillPlaces = ({ companyId }: TestCompany) =>
      stack().sql(
        `INSERT INTO emails (company_id, id, document_type, document_id, document_number,
           recipients, subject, message, attach, sender, status, created_at, admitted_at, due_at)
         SELECT $1, gen_random_uuid(), 'invoice', gen_random_uuid(), 'X', '{"to":[],"cc":[]}', 'X',
           'X', '["pdf"]', '{"name":"X","replyTo":null,"copyTo":null}', 'failed', now(),
           now() - interval '50 minutes', NULL
         FROM generate_series(1, 200)`,
        [companyId],
      );

    it('are limited to 200 per company and hour; those of new invoices wait', async () => {
      const owner = await withCustomer();
      await fillPlaces(owner);
      const { id: invoiceId } = await issue(owner, INVOICE);
      const refused = await owner.post('/emails', { invoiceId });
      expect([refused.status, refused.body.code]).to.deep.equal([429, 'email_limit_exceeded']);
      expect(Number(refused.headers['retry-after'])).to.be.within(500, 600);
      const created = await owner.post('/invoices', { ...INVOICE, send: true });
      expect(created.status, created.text).to.equal(201);
      const waits = async () => {
        const [row] = await stack().sql<{ waits: boolean }>(
          `SELECT due_at > now() + interval '5 minutes' AND lease_token IS NULL AS waits
           FROM emails WHERE company_id = $1 AND document_id = $2`,
          [owner.companyId, created.body.id],
        );
        return row?.waits === true;
      };
      await until('it waits', waits);
      await stack().sql(
        `UPDATE emails SET admitted_at = admitted_at - interval '1 hour',
           due_at = due_at - interval '1 hour'
         WHERE company_id = $1`,
        [owner.companyId],
      );
      const [email] = await emailsOf(owner, created.body.id);
      expect(await ended(owner, email.id)).to.deep.include({ status: 'sent', attempts: 1 });
    });

    it('start with pauses between them while writes go on', async () => {
      const owner = await withCustomer();
      const other = await makeCompany(stack());
      let isOver = false;
      const write = async () => {
        while (!isOver) await other.post('/invoices', INVOICE);
      };
      const writing = Promise.all(Array.from({ length: 8 }, write));
      try {
        const invoices = Array.from({ length: 4 }, () => ({ ...INVOICE, send: true }));
        await owner.post('/invoices/batch', { invoices });
        const sentAt: number[] = [];
        for (const { id } of (await owner.get('/emails')).body)
          sentAt.push(Date.parse((await ended(owner, id)).sentAt));
        sentAt.sort((a, b) => a - b);
        const pauses = sentAt.slice(1).map((at, index) => at - Number(sentAt[index]));
        // Without pauses, all of them start at once.
        expect(Math.max(...pauses), pauses.join(' ')).to.be.at.least(350);
      } finally {
        isOver = true;
        await writing;
      }
    });

    it('come with a new invoice, once per Idempotency-Key', async () => {
      const owner = await withCustomer();
      const keyed = { headers: { 'idempotency-key': uuidv7() } };
      const create = () => owner.post('/invoices', { ...INVOICE, send: true }, keyed);
      const [first, second] = [await create(), await create()];
      expect(first.status, first.text).to.equal(201);
      expect(second.body.id).to.equal(first.body.id);
      const emails = await emailsOf(owner, first.body.id);
      expect(emails).to.have.lengthOf(1);
      const email = await ended(owner, emails[0].id);
      expect(email).to.deep.include({ status: 'sent', to: ['ap@castle.example'] });
      expect(mail.received[0]?.text).to.include(`${first.body.number}.pdf`);
      const unsent = await owner.post('/invoices', { ...INVOICE, send: false });
      expect(await emailsOf(owner, unsent.body.id)).to.deep.equal([]);
    });

    it('need an address of the customer for a new invoice, also in a batch', async () => {
      const owner = await withCustomer();
      const unknown = { ...INVOICE, customerName: 'Moat', send: true };
      const refused = await owner.post('/invoices', unknown);
      expect(fieldErrors(refused)).to.deep.equal(['/send required']);
      const batch = { invoices: [unknown, { ...INVOICE, send: true }, INVOICE] };
      const { body } = await owner.post('/invoices/batch', batch);
      const statuses = body.results.map(({ status }: Json) => status);
      expect(statuses).to.deep.equal([422, 201, 201]);
      const { key } = await addKey(stack(), owner.companyId, ['invoices:write']);
      const other = await owner.post('/invoices/batch', batch, { key });
      const codes = other.body.results.map(({ status }: Json) => status);
      expect(codes).to.deep.equal([403, 403, 201]);
      const listed = (await owner.get('/emails')).body;
      expect(listed.map(({ documentId }: Json) => documentId)).to.deep.equal([
        body.results[1].invoice.id,
      ]);
      await ended(owner, listed[0].id);
    });

    it('have failed if the document of a new invoice cannot be made', async () => {
      const owner = await company({});
      await makeCustomer(owner, CUSTOMER);
      const { body: invoice } = await owner.post('/invoices', { ...INVOICE, send: true });
      const [email] = await emailsOf(owner, invoice.id);
      const failed = await ended(owner, email.id);
      expect(failed.error.code).to.equal('document_incomplete');
      expect(mail.arrived).to.deep.equal([]);
    });
  },
  makeMailStack,
);
