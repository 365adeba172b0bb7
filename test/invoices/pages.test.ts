// The bytes of list pages, and pages that several requests share.
import { expect } from 'chai';
import { invoiceRequest, makeCompany, receive, type TestCompany } from '../support/factories.js';
import { describeMode, startForTests } from '../support/suite.js';

/** Latin, CJK and astral characters, and one that looks like the next element of a list. */
const NAMES = ['Größe Ø', '漢字 株式会社', '𝒳 😀 👩‍👩‍👧', ',{"id":"x"},{"id":"y', '"\\", "'];

describeMode('postgres', 'a page of a list', stack => {
  const read = async (company: TestCompany, path: string, headers = {}, method = 'GET') => {
    const response = await fetch(`${stack().baseUrl}/api/external${path}`, {
      method,
      headers: { 'x-api-key': company.key, 'accept-encoding': 'identity', ...headers },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes };
  };
  const next = (headers: Headers) =>
    new URL(/^<([^>]+)>/u.exec(headers.get('link') ?? '')?.[1] ?? 'none:');
  const createNamed = async (company: TestCompany) => {
    const ids: string[] = [];
    for (const name of NAMES) {
      const items = [name, 'Another line'].map(line => ({ name: line, qty: 1, price: 1 }));
      const { body } = await company.post(
        '/invoices',
        invoiceRequest({ customerName: name, reference: name, items }),
      );
      ids.unshift(body.id);
    }
    return ids;
  };

  it('has the bytes of its invoices, whatever characters their names have', async () => {
    const company = await makeCompany(stack());
    const ids = await createNamed(company);
    const invoices = await Promise.all(ids.map(id => read(company, `/invoices/${id}`)));
    const page = await read(company, '/invoices');
    expect(page.bytes.toString()).to.equal(`[${invoices.map(({ bytes }) => bytes).join(',')}]`);
    const names = JSON.parse(page.bytes.toString()).map((i: { reference: string }) => i.reference);
    // A reference has no invisible character, such as the joiner of an emoji.
    const visible = NAMES.map(name => name.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ''));
    expect(names).to.deep.equal(visible.toReversed());
    expect(page.headers.get('content-length')).to.equal(String(page.bytes.length));
    expect(page.headers.get('transfer-encoding')).to.equal(null);
  });

  it('ends before the next page, whatever characters the names at its end have', async () => {
    const company = await makeCompany(stack());
    const ids = await createNamed(company);
    await receive(company, ...NAMES.map(name => ({ name, delta: 1 })));
    const stock = JSON.parse((await read(company, '/inventory')).bytes.toString());
    const expected = { invoices: ids, inventory: stock.map(({ id }: { id: string }) => id) };
    for (const [list, all] of Object.entries(expected)) {
      for (const limit of [1, 2, NAMES.length]) {
        const seen: string[] = [];
        let path = `/${list}?limit=${limit}`;
        while (path !== '') {
          const { bytes, headers } = await read(company, path);
          const page = JSON.parse(bytes.toString());
          expect(page.length).to.be.within(1, limit);
          seen.push(...page.map(({ id }: { id: string }) => id));
          path = `/${list}${next(headers).search}`;
          if (!headers.has('link')) path = '';
        }
        expect(seen, `${list} by ${limit}`).to.deep.equal(all);
      }
    }
  });

  it('of more than a hundred kilobytes arrives whole', async () => {
    const company = await makeCompany(stack());
    const items = Array.from({ length: 20 }, (_, at) => ({
      name: `Größe ${at}`,
      qty: 1,
      price: 1,
    }));
    await Promise.all(
      Array.from({ length: 60 }, () => company.post('/invoices', invoiceRequest({ items }))),
    );
    const { bytes } = await read(company, '/invoices?limit=60');
    expect(bytes.length).to.be.above(100_000);
    const page: { items: object[] }[] = JSON.parse(bytes.toString());
    expect(page.map(({ items: lines }) => lines.length)).to.deep.equal(new Array(60).fill(20));
  });

  it('has one ETag for GET, HEAD and 304, even where a next page follows', async () => {
    const company = await makeCompany(stack());
    await createNamed(company);
    for (const path of ['/invoices', '/invoices?limit=2']) {
      const { headers, bytes } = await read(company, path);
      const etag = headers.get('etag') ?? '';
      expect(etag).to.match(/^"[\w-]{24}"$/u);
      const head = await read(company, path, {}, 'HEAD');
      expect([head.status, head.bytes.length, head.headers.get('etag')]).to.deep.equal([
        200,
        0,
        etag,
      ]);
      expect(head.headers.get('content-length')).to.equal(String(bytes.length));
      expect(head.headers.get('link')).to.equal(headers.get('link'));
      const again = await read(company, path, { 'if-none-match': etag });
      expect([again.status, again.bytes.length]).to.deep.equal([304, 0]);
    }
  });

  it('has the same bytes in every coding, however often it is sent', async () => {
    const company = await makeCompany(stack());
    await createNamed(company);
    const plain = await read(company, '/invoices');
    for (const coding of ['gzip', 'br', 'gzip', 'br']) {
      const headers = { 'accept-encoding': coding };
      // fetch decodes the body.
      const [one, other] = await Promise.all([
        read(company, '/invoices', headers),
        read(company, '/invoices', headers),
      ]);
      expect(one.headers.get('content-encoding')).to.equal(coding);
      expect([one.bytes, other.bytes]).to.deep.equal([plain.bytes, plain.bytes]);
      expect(other.headers.get('etag')).to.equal(one.headers.get('etag'));
      expect(one.headers.get('etag')).not.to.equal(plain.headers.get('etag'));
    }
  });

  it('shows each write at once, in every process, however often it was read before', async () => {
    const web = await startForTests('web', stack().env);
    const company = await makeCompany(stack());
    const urls = [stack().baseUrl, `http://127.0.0.1:${web.port}`];
    const readAll = (path: string) =>
      Promise.all(
        [...urls, ...urls].map(async url => {
          const headers = { 'x-api-key': company.key };
          return (await fetch(`${url}/api/external${path}`, { headers })).json();
        }),
      );
    await receive(company, { name: 'Pipe', delta: 100 });
    for (let count = 1; count <= 8; count += 1) {
      const items = [{ name: 'Pipe', qty: 1, price: 1 }];
      await company.post('/invoices', invoiceRequest({ items }));
      for (const page of await readAll('/invoices')) expect(page).to.have.length(count);
      for (const [item] of await readAll('/inventory')) expect(item.onHand).to.equal(100 - count);
    }
    await receive(company, { name: 'Pipe', delta: 8 });
    for (const [item] of await readAll('/inventory')) expect(item.onHand).to.equal(100);
    await web.stop();
  });
});
