// No value of a form, query or cursor and no multipart body may make the dashboard fail. The test
// finds pages and forms by following links, so it covers new ones by itself.
import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Browser, PASSWORD, signedIn } from '../support/dashboard.js';
import { invoiceRequest, makeCompany, receive } from '../support/factories.js';
import { fieldsOf } from '../support/html.js';
import { describeMode } from '../support/suite.js';
import { secondWeb } from '../support/web.js';

const UUID = randomUUID();
const HOSTILE = [
  '',
  ' ',
  `[${UUID}]`,
  `{${UUID}}`,
  `(${UUID})`,
  UUID.replaceAll('-', ':'),
  UUID.toUpperCase(),
  '-1',
  '1e999',
  '0x10',
  '99999999999999999999999999',
  'NaN',
  '2026-99-99',
  '0000-00-00',
  '2026-02-30',
  '9999-12-31',
  "'; --",
  '%',
  '\\',
  '\ud800',
  '\u202e\ufeff\uffff',
  'İ'.repeat(300),
];
const PARAMETERS = ['q', 'from', 'to', 'cursor', 'before', 'after', 'show', 'search', 'low', 'out'];
const CURSORS = [
  '2026-99-99.1',
  '2026-11-20.999999999999999999',
  JSON.stringify(['2026-99-01 00:00:00+00', UUID]),
  JSON.stringify(['2026-02-30 00:00:00+00', UUID]),
  JSON.stringify(['2026-01-01 24:61:61+00', UUID]),
  JSON.stringify(['2026-01-01 00:00:00+99', UUID]),
  JSON.stringify(['\0', UUID]),
  JSON.stringify([UUID, `{${UUID}}`]),
];
/** Values for the first field of a name, and for each other one: most of these share a rule. */
const FIRST = 6;
const AGAIN = 2;
/** An address of its own: wrong passwords are counted by address. */
const FROM = { headers: { 'x-forwarded-for': '198.51.100.60' } };
const PASSWORD_FORM = '/account/password';
const SKIPPED = /sign-out|^\/admin\/queues/u;

interface FoundForm {
  readonly page: string;
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

describeMode('postgres', 'the dashboard answers hostile', stack => {
  const arrange = async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Pump', sku: 'P-1', delta: 5 });
    await company.post(
      '/invoices',
      invoiceRequest({ items: [{ name: 'Pump', qty: 1, price: 1 }] }),
    );
    const { browser } = await signedIn(stack(), company.companyId, { operator: true });
    const token = browser.cookies.get('session');
    return { browser: new Browser(await secondWeb(stack()), token) };
  };
  /** The fuzz sends more requests than people do. */
  const forgetRequests = () => stack().sql("DELETE FROM rate_limits WHERE key LIKE 'dashboard-%'");

  /** The pages within reach of links, each path once, with their forms. */
  async function crawl(browser: Browser): Promise<{ pages: string[]; forms: FoundForm[] }> {
    const forms = new Map<string, FoundForm>();
    const pages = ['/', '/settings', '/account'];
    for (const page of pages) {
      const { text } = await browser.get(page, FROM);
      for (const [, path = ''] of text.matchAll(/<a [^>]*?href="(\/[^"#?]*)/gu)) {
        // One item, invoice or key stands for all.
        const isKnown = pages.some(known => shapeOf(known) === shapeOf(path));
        if (!isKnown && !SKIPPED.test(path) && !path.startsWith('/docs')) pages.push(path);
      }
      for (const [, tag = '', inner = ''] of text.matchAll(/<form([^>]*)>(.*?)<\/form>/gsu)) {
        const action = /action="([^"]*)"/u.exec(tag)?.[1] ?? '';
        if (!tag.includes('method="post"') || SKIPPED.test(action)) continue;
        forms.set(shapeOf(action), { page, action, fields: acceptedFields(inner) });
      }
    }
    return { pages, forms: [...forms.values()] };
  }
  /** How many values were dealt from each list, by what they were for. */
  const dealt = new Map<string, number>();
  /** The next values of the list for this purpose. After the last one, it starts again. */
  function deal(values: readonly string[], count: number, purpose: string): string[] {
    const start = dealt.get(purpose) ?? 0;
    dealt.set(purpose, start + count);
    return Array.from({ length: count }, (_, at) => values[(start + at) % values.length] ?? '');
  }
  /** A new password comes last: forms need the first one, whose hash is cheap to verify. */
  const byPassword = (a: FoundForm, b: FoundForm) =>
    Number(a.action === PASSWORD_FORM) - Number(b.action === PASSWORD_FORM);
  const shapeOf = (path: string) => path.replaceAll(/[0-9a-f-]{36}/gu, ':id');

  it('fields', async () => {
    const { browser } = await arrange();
    const { forms } = await crawl(browser);
    expect(forms.map(({ action }) => shapeOf(action))).to.include.members([
      '/inventory/new',
      '/invoices/new',
      '/integrations/api-access/new',
      PASSWORD_FORM,
    ]);
    const failures: string[] = [];
    for (const { page, action, fields } of forms.toSorted(byPassword)) {
      await forgetRequests();
      const { token = '' } = fieldsOf(await browser.get(page, FROM));
      const names = [...new Set(fields.map(([name]) => name))];
      const cases = names.flatMap(name => {
        const rule = /[a-z]+(?=[\d[\]]*$)/iu.exec(name)?.[0] ?? name;
        const count = dealt.has(rule) ? AGAIN : FIRST;
        return deal(HOSTILE, count, rule).map(value => [name, value] as const);
      });
      await inTurns(cases, async ([name, value]) => {
        const form = { ...Object.fromEntries(fields), token, [name]: value };
        const options = { ...FROM, mayTell: true, unchecked: true };
        const { status } = await browser.send(action, form, options);
        if (status >= 500) failures.push(`${status} ${action} ${name}=${JSON.stringify(value)}`);
      });
    }
    expect(failures).to.deep.equal([]);
  });

  it('queries and cursors', async () => {
    const { browser } = await arrange();
    const { pages } = await crawl(browser);
    expect(pages).to.include.members([
      '/invoices',
      '/inventory',
      '/admin/jobs',
      '/admin/companies',
    ]);
    const failures: string[] = [];
    for (const page of pages) {
      await forgetRequests();
      const cases = PARAMETERS.flatMap(name =>
        [
          ...deal(HOSTILE, 2, `?${name}`),
          ...deal(CURSORS, name === 'cursor' ? 4 : 1, `?${name} as a cursor`),
        ].map(value => new URLSearchParams({ [name]: value }).toString()),
      );
      await inTurns(cases, async query => {
        const { status } = await browser.get(`${page}?${query}`, { ...FROM, unchecked: true });
        if (status >= 500) failures.push(`${status} ${page}?${query}`);
      });
    }
    for (const name of PARAMETERS) {
      expect(dealt.get(`?${name}`), name).to.be.at.least(HOSTILE.length);
      expect(dealt.get(`?${name} as a cursor`), name).to.be.at.least(CURSORS.length);
    }
    expect(failures).to.deep.equal([]);
  });

  it('multipart bodies', async () => {
    const { browser } = await arrange();
    const types = [
      'xboundary=a',
      'boundary',
      'boundary=',
      'boundary=""',
      'boundary="a',
      "boundary*=utf-8''a",
      'boundary=a; boundary=b',
      `boundary=${'a'.repeat(300)}`,
      `boundary=${'a'.repeat(5_000)}`,
    ];
    const part = (headers: string, content = 'x') => `--a\r\n${headers}\r\n\r\n${content}\r\n`;
    const disposition = 'Content-Disposition: form-data;';
    const bodies = [
      '',
      '--a',
      '--a--',
      '--a\r\n\r\n',
      'junk',
      part(''),
      part('Content-Disposition'),
      part(`${disposition} name`),
      part(`${disposition} name*=utf-8''%zz`),
      part(`${disposition} name="__proto__"`),
      part(`${disposition} name="file"; filename`),
      part(`${disposition} name="file"; filename="\0"`),
      part(`${disposition} name="key"\r\nContent-Type: text/plain; charset`),
      part(`${disposition} name="key"\r\nContent-Type: text/plain; charset=bogus`),
      part(`${disposition} name="key"\r\nContent-Transfer-Encoding: base64`),
      part(`${disposition} name="key"`, 'x'.repeat(20_000)),
      part(`${disposition} name="key"`).repeat(40),
      part(`X: ${'y'.repeat(100_000)}`),
      part(`${disposition} name="file"; filename="a.csv"`, 'name,count\nA,1').slice(0, -3),
      randomBytes(10_000),
    ];
    const requests: [type: string, raw: string | Buffer][] = [
      ...types.map(type => [type, part(`${disposition} name="key"`)] as [string, string]),
      ...bodies.map(body => ['boundary=a', body] as [string, string]),
      ...bodies
        .filter(body => typeof body === 'string')
        .map(body => ['boundary=a', `${body}--a--\r\n`] as [string, string]),
    ];
    for (const [type, raw] of requests) {
      const headers = { ...FROM.headers, 'content-type': `multipart/form-data; ${type}` };
      const { status } = await browser.send('/inventory/import', {}, { raw, headers });
      expect(status, `${type} ${String(raw).slice(0, 80)}`).to.be.oneOf([400, 403, 415]);
    }
    expect((await browser.get('/', FROM)).status).to.equal(200);
  });
});

const CONTROL = /(<(?:input|textarea|button|select)[^>]*? name="([^"]*)"[^>]*>)(?=(.{0,300}))/gsu;

/** A form's fields with values that it accepts, so that one hostile value meets no other error. */
function acceptedFields(form: string): FoundForm['fields'] {
  return [...form.matchAll(CONTROL)]
    .map(([, tag = '', name = '', after = '']) => {
      const option = /^<option[^>]*? value="([^"]*)"/u.exec(after)?.[1];
      const value = /value="([^"]*)"/u.exec(tag)?.[1] || option || usualValue(tag, name);
      return [name, value] as const;
    })
    .filter(([name]) => name !== 'token' && !name.startsWith('generated.'));
}

function usualValue(tag: string, name: string): string {
  if (tag.includes('type="date"')) return '2099-11-20';
  if (tag.includes('type="email"')) return 'someone@example.org';
  if (tag.includes('type="password"')) return PASSWORD;
  return /decimal|qty|price|cost|point|count|delta|hours/iu.test(tag + name) ? '1' : 'Thing';
}

/** Runs the work for each case, a few at a time. */
async function inTurns<Case>(cases: readonly Case[], work: (each: Case) => Promise<void>) {
  const left = [...cases];
  const lane = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: 4 }, lane));
}
