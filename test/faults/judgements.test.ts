// The fault harness's judge, on journals made by hand: it sees each kind of broken promise, and
// excuses only what the run's faults explain.
import { expect } from 'chai';
import { v5 as uuidv5 } from 'uuid';
import { judgeOrder } from './batch-order.js';
import { History } from './history.js';
import type { Answer, Entry, Exchange, Failure } from './journal.js';
import {
  type FailedJob,
  findBadAnswers,
  findBadPages,
  findBlocked,
  findBrokenPromises,
  findStarved,
  findUnanswered,
  findUnexplainedRefusals,
  POISON,
} from './judgements.js';

const COMPANY = '01a20623-42f3-75c1-9d66-6b2a045b4053';
const OTHER = '01a20623-42f3-75c1-9d66-6e64254609bf';
const PORT = 4001;
/** The start of the hand-made runs. */
const START = Date.UTC(2026, 10, 20);

const at = (seconds: number) => START + seconds * 1000;
const between = (from: number, to: number) => ({ from: at(from), to: at(to) });

/** A write sent at the given second, with the answer that it got, or the failure. */
function write(seconds: number, end: Partial<Answer> | Partial<Failure>, changes = {}): Entry {
  const sent: Entry = {
    key: `c1-${seconds}`,
    companyId: COMPANY,
    companyKey: '',
    body: {},
    prefer: null,
    path: '/api/external/invoices',
    port: PORT,
    startedAt: at(seconds),
    limitMs: 12_000,
    ...changes,
  };
  if ('cause' in end) sent.failure = { cause: 'lost', ms: 100, ...end };
  else sent.answer = { status: 201, text: '{}', ms: 20, ...(end as Partial<Answer>) };
  return sent;
}

function read(seconds: number, status: number): Exchange {
  const { companyId, path, port, startedAt, limitMs, answer } = write(seconds, { status });
  return { companyId, path, port, startedAt, limitMs, ...(answer ? { answer } : {}) };
}

describe("the fault harness's judge", () => {
  let history: History;
  beforeEach(() => {
    history = new History();
  });

  describe('of promises', () => {
    const failedJob = (changes: Partial<FailedJob>): FailedJob => ({
      companyId: COMPANY,
      id: uuidv5('c1-1', COMPANY),
      requestId: 'r',
      status: 500,
      hasPayload: true,
      ...changes,
    });
    const accepted = [write(1, { status: 202 })];

    it('reports a job that failed after its 202, by the key of its client', () => {
      expect(findBrokenPromises([failedJob({})], accepted)).to.deep.equal([
        'c1-1: after the answer 202, the job failed with 500',
      ]);
    });

    it('reports a failed job that no client of the run sent', () => {
      const failed = failedJob({ id: OTHER, status: 409 });
      expect(findBrokenPromises([failed], accepted)).to.have.length(1);
      expect(findBrokenPromises([failedJob({ hasPayload: false })], [])).to.have.length(1);
    });

    it('accepts refusals, and jobs that a fault made to fail', () => {
      const refused = failedJob({ status: 409, hasPayload: false });
      expect(findBrokenPromises([refused, failedJob({ requestId: POISON })], accepted)).to.be.empty;
    });
  });

  describe('of the order of a batch', () => {
    const judged = (numbers: Record<string, number>) => {
      const keys = ['c1-1/0', 'c1-1/1', 'c1-1/2', 'c1-2', 'c1-3/0'];
      const entries = keys.map((key, index) => write(index, { status: 202 }, { key }));
      const jobs = Object.entries(numbers).map(([key, number]) => [key, number] as const);
      return judgeOrder(entries, new Map(jobs.map(([key, no]) => [uuidv5(key, COMPANY), no])));
    };

    it('reports an invoice that was created before one ahead of it', () => {
      expect(judged({ 'c1-1/0': 5, 'c1-1/1': 7, 'c1-1/2': 6 })).to.deep.equal([
        'c1-1/2: invoice 6 was created after 7',
      ]);
    });

    it('accepts refused ones between them, and any order of other requests', () => {
      expect(judged({ 'c1-1/0': 5, 'c1-1/2': 9, 'c1-2': 3, 'c1-3/0': 2 })).to.be.empty;
    });
  });

  describe('of requests without an answer', () => {
    const unanswered = (cause: Failure['cause'], seconds = 10) =>
      findUnanswered([write(seconds, { cause, ms: 500 })], history);

    it('reports each one, unless its client hung up', () => {
      for (const cause of ['lost', 'refused', 'timed out'] as const)
        expect(unanswered(cause), cause).to.have.length(1);
      expect(unanswered('hung up')).to.be.empty;
    });

    it('excuses a web process that was killed or frozen meanwhile, but no other one', () => {
      history.downtimes.push({ port: PORT + 1, how: 'killed', ...between(5, 15) });
      history.freezes.push({ port: PORT + 1, ...between(5, 15) });
      expect(unanswered('lost')).to.have.length(1);
      history.downtimes.push({ port: PORT, how: 'killed', ...between(10.2, 12) });
      expect(unanswered('lost')).to.be.empty;
      expect(unanswered('timed out', 8), 'before').to.have.length(1);
      expect(unanswered('lost', 14), 'after').to.have.length(1);
      history.freezes.push({ port: PORT, ...between(14.2, 15) });
      expect(unanswered('timed out', 14)).to.be.empty;
    });

    it('expects a process that is told to stop to answer the requests that it has', () => {
      history.downtimes.push({ port: PORT, how: 'stopped', ...between(10.1, 13) });
      expect(unanswered('lost', 10), 'sent before').to.have.length(1);
      expect(unanswered('lost', 11), 'sent after').to.be.empty;
      expect(unanswered('refused', 11)).to.be.empty;
      expect(unanswered('timed out', 11)).to.have.length(1);
    });

    it('blames a process that ended by itself', () => {
      history.downtimes.push({ port: PORT, how: 'ended by itself', ...between(10.2, 13) });
      expect(unanswered('lost')).to.have.length(1);
    });
  });

  describe('of 503s', () => {
    const refused = (seconds: number) =>
      findUnexplainedRefusals([write(seconds, { status: 503 })], history);

    it('reports each one while Postgres is available, of reads as well', () => {
      expect(refused(10)).to.have.length(1);
      expect(findUnexplainedRefusals([read(10, 503)], history)).to.have.length(1);
      expect(findUnexplainedRefusals([write(10, { status: 202 })], history)).to.be.empty;
    });

    it('excuses them in an outage and for two seconds after it', () => {
      history.outages.push(between(10, 20));
      expect(refused(15)).to.be.empty;
      expect(refused(21.9)).to.be.empty;
      expect(refused(8)).to.have.length(1);
      expect(refused(22.1)).to.have.length(1);
    });
  });

  describe('of answers', () => {
    it('reports errors other than 503, and reads that are not 200', () => {
      const writes = [201, 202, 409, 422, 503].map(status => write(1, { status }));
      expect(findBadAnswers(writes, [read(1, 200), read(1, 503)], history)).to.be.empty;
      expect(findBadAnswers([write(1, { status: 500 })], [], history)).to.have.length(1);
      expect(findBadAnswers([], [read(1, 404)], history)).to.have.length(1);
    });

    it('reports late ones, unless the process was frozen', () => {
      const late = [write(1, { ms: 12_100 })];
      expect(findBadAnswers(late, [], history)).to.have.length(1);
      history.freezes.push({ port: PORT, ...between(2, 10) });
      expect(findBadAnswers(late, [], history)).to.be.empty;
    });

    it('reports pages with an error, pages that sign users out, and late ones', () => {
      const page = (end: Partial<Answer>) => findBadPages([write(1, end)], history);
      const location = '/sign-in?to=%2F';
      for (const status of [200, 303, 404, 422, 503]) expect(page({ status })).to.be.empty;
      for (const end of [{ status: 500 }, { status: 403 }, { status: 303, location }])
        expect(page(end)).to.have.length(1);
      expect(page({ status: 200, ms: 12_100 })).to.have.length(1);
    });
  });

  describe('of the number of writes', () => {
    const run = between(0, 20);
    const writesOf = (companyId: string, count: number) =>
      Array.from({ length: count }, () => write(1, {}, { companyId }));
    const starved = (entries: readonly Entry[]) =>
      findStarved([COMPANY, OTHER], entries, history, run);

    it('reports a company that could hardly write, however much others wrote', () => {
      expect(starved([])).to.have.length(2);
      expect(starved([...writesOf(COMPANY, 500), ...writesOf(OTHER, 9)])).to.have.length(1);
      expect(starved([...writesOf(COMPANY, 10), ...writesOf(OTHER, 10)])).to.be.empty;
    });

    it('counts acknowledged ones only, and only the time without outages', () => {
      const refused = Array.from({ length: 500 }, () => write(1, { status: 503 }));
      expect(starved([...refused, ...writesOf(OTHER, 10)])).to.have.length(1);
      history.outages.push(between(2, 10));
      history.freezes.push({ port: PORT, ...between(10, 19.5) });
      expect(starved([...writesOf(COMPANY, 1), ...writesOf(OTHER, 1)])).to.be.empty;
    });
  });

  describe('of isolation', () => {
    const trialOf = (entries: readonly Entry[]) => ({
      what: 'row-lock',
      entries: [...entries],
      ...between(0, 10),
    });
    const times = (count: number, end: Partial<Answer>, companyId = COMPANY) =>
      Array.from({ length: count }, () => write(1, end, { companyId }));
    const blocked = (...entries: Entry[]) => findBlocked([trialOf(entries)], 2_000);

    it('reports a company whose writes waited for another one', () => {
      expect(blocked(...times(80, {}), ...times(20, { ms: 1_500 }))).to.have.length(1);
      expect(blocked(...times(80, {}), ...times(20, { status: 202, ms: 10 }))).to.have.length(1);
      expect(blocked(...times(80, {}), ...times(20, { status: 503 }))).to.have.length(1);
    });

    it('reports a company with a few writes that took very long', () => {
      expect(blocked(...times(198, {}), ...times(2, { ms: 8_000 }))).to.be.empty;
      expect(blocked(...times(197, {}), ...times(3, { ms: 8_000 }))).to.have.length(1);
    });

    it('judges each company by itself', () => {
      const found = blocked(...times(900, {}), ...times(10, { ms: 9_000 }, OTHER));
      expect(found).to.have.length(1);
      expect(found[0]).to.include(OTHER);
    });
  });
});
