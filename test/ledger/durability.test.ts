// A worker that is killed while payments, credit notes and voids race for the same invoices: each
// accepted write happens once, and the books are sound.
import { expect } from 'chai';
import type { Json, Response } from '../support/client.js';
import { expectVerified } from '../support/commands.js';
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import { creditNote, expectSoundBooks, issue, payment } from '../support/ledger.js';
import { until } from '../support/processes.js';
import { hasRedisServer, REDIS_MISSING } from '../support/redis-server.js';
import { MODES, makeWithWorker, requireOrSkip, startForTests } from '../support/suite.js';

const WRITES = 120;

/** Sends the n-th write, of one of the invoices, until it is settled. */
async function write(
  company: TestCompany,
  invoices: readonly Json[],
  at: number,
): Promise<Response> {
  const answer = await send(company, invoices, at);
  return answer.status === 202 ? write(company, invoices, at) : answer;
}

/** A payment, a credit note or a void. */
function send(company: TestCompany, invoices: readonly Json[], at: number): Promise<Response> {
  const invoice = invoices[at % invoices.length];
  const options = { headers: { 'idempotency-key': `write-${at}`, prefer: 'wait=30' } };
  const items = [{ line: 1, qty: 1, restock: true }];
  if (at % 10 === 9) return company.post(`/invoices/${invoice.id}/void`, {}, options);
  if (at % 3 === 0) return company.post('/credit-notes', creditNote(invoice, { items }), options);
  return company.post('/payments', payment(3, [invoice], { externalId: `T-${at}` }), options);
}

for (const mode of MODES) {
  describe(`a worker that is killed between entries (queue in ${mode})`, () => {
    it('writes each accepted entry once', async function () {
      if (mode === 'redis') requireOrSkip(this, hasRedisServer(), REDIS_MISSING);
      const stack = await makeWithWorker(mode);
      const company = await makeCompany(stack);
      await receive(company, { name: 'Pump', delta: 1_000 });
      const items = [{ name: 'Pump', qty: 10, price: 2.5 }];
      const invoices = await Promise.all(
        Array.from({ length: 6 }, () => issue(company, { items })),
      );
      let done = 0;
      const writes = Array.from({ length: WRITES }, async (_, at) => {
        const answer = await write(company, invoices, at);
        done += 1;
        return answer;
      });
      await until('the first answers', async () => done >= WRITES / 10);
      await stack.worker.stop('SIGKILL');
      await startForTests('worker', stack.env);
      const answers = await Promise.all(writes);
      for (const { status, body } of answers)
        if (status !== 201)
          expect(body.code, JSON.stringify(body)).to.be.oneOf([
            'amount_exceeds_due',
            'credit_exceeds_invoice',
            'invalid_state',
          ]);
      const succeeded = answers.filter(({ status }) => status === 201);
      const [count] = await stack.sql<{ entries: number }>(
        'SELECT count(*)::int AS entries FROM entries WHERE company_id = $1',
        [company.companyId],
      );
      expect(count?.entries).to.equal(succeeded.length);
      // A repeat of each write gets the same answer.
      for (const [at, first] of answers.entries()) {
        if (at % 7 !== 0) continue;
        const { status, text } = await write(company, invoices, at);
        expect(status).to.equal(first.status);
        if (status === 201) expect(text).to.equal(first.text);
      }
      await expectSoundBooks(stack, company.companyId);
      await expectVerified(stack);
    });
  });
}
