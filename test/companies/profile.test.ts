// A company's profile: its members, its versions, and its logo.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { runAdminCommand } from '../../src/commands/admin-commands.js';
import { isIban } from '../../src/companies/profile/iban.js';
import { readLogo } from '../../src/companies/profile/logo/logo.js';
import { readPng } from '../../src/companies/profile/logo/read-png.js';
import { writePng } from '../../src/companies/profile/logo/write-png.js';
import { changeProfile, getProfile } from '../../src/companies/profile/service.js';
import { updateSettings } from '../../src/customer-records/settings.js';
import { closeDatabase } from '../../src/platform/db/connection.js';
import type { Problem } from '../../src/platform/errors.js';
import { ADMIN_CONTEXT } from '../support/commands.js';
import { makeCompany } from '../support/factories.js';
import { pngOf } from '../support/pictures.js';
import { temporaryDirectory } from '../support/processes.js';
import { atEnd, describeMode, openForTests } from '../support/suite.js';

const ADDRESS = { line1: '1 Quay', city: 'Bremen', postalCode: '28195', country: 'DE' };
const WHOLE = {
  ...{ legalName: 'Harbour Supply GmbH', address: ADDRESS, taxId: 'DE 123.456-789' },
  ...{ taxNumber: '60/123/45678', registrationId: 'HRB 1', contactName: 'Ann' },
  electronicAddress: { scheme: '9930', id: 'DE123456789' },
  ...{ email: 'billing@example.org', phone: '+49 421 1', bankName: 'Sparkasse' },
  ...{ iban: 'de89 3704 0044 0532 0130 00', bic: 'cobadeffxxx' },
  ...{ paymentTerms: 'Net 30', footer: 'Harbour Supply\nBremen', language: 'de' },
  ...{ untaxed: { category: 'E', reason: 'Small business' }, paper: 'letter', paymentQr: 'epc' },
};

const pointersOf = async (change: Promise<unknown>): Promise<string[]> =>
  change.then(
    () => [],
    (error: Problem) =>
      (error.details.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`),
  );

describeMode('postgres', "a company's profile", stack => {
  before(() => {
    openForTests(stack().databaseUrl, 4);
  });
  after(closeDatabase);

  const versionsOf = (companyId: string) =>
    stack().sql<{ version: number; name: string; legalName: string | null; at: Date }>(
      `SELECT version, body::json ->> 'name' AS name, body::json ->> 'legalName' AS "legalName",
         valid_from AS at
       FROM company_profile_versions
       WHERE company_id = $1
       ORDER BY version`,
      [companyId],
    );

  it('is empty, with defaults, until someone fills it in', async () => {
    const { companyId } = await makeCompany(stack());
    const { profile, changed } = await getProfile(companyId);
    expect(changed).to.equal(null);
    expect(profile).to.deep.include({ name: 'Test company', legalName: null, address: null });
    expect(profile).to.deep.include({ language: 'en', paper: 'a4', paymentQr: 'none' });
    expect(profile.untaxed).to.deep.equal({ category: 'O', reason: null });
  });

  it('is changed by a merge patch, which cleans numbers and appends one version', async () => {
    const { companyId } = await makeCompany(stack());
    await changeProfile(companyId, WHOLE, null);
    await changeProfile(companyId, { address: { line2: 'Gate 4', line1: null } }, null);
    await changeProfile(companyId, { phone: null, language: null, email: WHOLE.email }, null);
    await changeProfile(companyId, { email: WHOLE.email }, null);
    const { profile } = await getProfile(companyId);
    expect(profile).to.deep.include({ taxId: 'DE123456789', iban: 'DE89370400440532013000' });
    expect(profile).to.deep.include({ bic: 'COBADEFFXXX', phone: null, language: 'en' });
    expect(profile.address).to.deep.equal({
      ...{ line1: null, line2: 'Gate 4', line3: null, city: 'Bremen' },
      ...{ postalCode: '28195', region: null, country: 'DE' },
    });
    expect((await versionsOf(companyId)).map(({ version }) => version)).to.deep.equal([1, 2, 3]);
  });

  it('refuses each wrong member with its pointer, and changes nothing', async () => {
    const { companyId } = await makeCompany(stack());
    const wrong = {
      ...{ legalName: 'x'.repeat(256), address: { country: 'de' }, taxId: '!', email: 'a@b' },
      ...{ iban: 'DE88370400440532013000', bic: 'X', footer: 'x'.repeat(501), language: 'pl' },
      ...{ paper: 'a5', paymentQr: 'swiss', untaxed: { category: 'E' }, logo: 'AAAA' },
      ...{ electronicAddress: { scheme: '1', id: '' }, sender: 'x', phone: 7 },
    };
    expect((await pointersOf(changeProfile(companyId, wrong, null))).sort()).to.deep.equal([
      '/address/country invalid_value',
      '/bic invalid_value',
      '/electronicAddress/id empty',
      '/electronicAddress/scheme invalid_value',
      '/email invalid_value',
      '/footer too_long',
      '/iban invalid_value',
      '/language invalid_value',
      '/legalName too_long',
      '/logo invalid_value',
      '/paper invalid_value',
      '/paymentQr invalid_value',
      '/phone wrong_type',
      '/sender unknown_field',
      '/taxId invalid_value',
      '/untaxed/reason required',
    ]);
    expect(await versionsOf(companyId)).to.deep.equal([]);
  });

  it('names the values that a member may have', async () => {
    const { companyId } = await makeCompany(stack());
    const error: Problem = await changeProfile(companyId, { paper: 'a5' }, null).catch(e => e);
    expect(error.details.errors?.[0]?.detail).to.equal('Must be one of a4, letter.');
  });

  it('keeps the name that the company had, from its first day on', async () => {
    const { companyId } = await makeCompany(stack());
    await updateSettings(companyId, { name: 'Test company' });
    expect(await versionsOf(companyId)).to.deep.equal([]);
    await updateSettings(companyId, { name: 'Renamed' });
    await changeProfile(companyId, { legalName: 'Renamed Inc.' }, null);
    const versions = await versionsOf(companyId);
    expect(versions.map(({ name }) => name)).to.deep.equal(['Test company', 'Renamed', 'Renamed']);
    const [{ createdAt } = { createdAt: new Date() }] = await stack().sql<{ createdAt: Date }>(
      `SELECT date_trunc('milliseconds', created_at) AS "createdAt" FROM companies WHERE id = $1`,
      [companyId],
    );
    expect(versions[0]?.at).to.deep.equal(createdAt);
  });

  it('stamps each version after the one before, even if the clock was set back', async () => {
    const { companyId } = await makeCompany(stack());
    const future = '2099-01-01T00:00:00.000Z';
    await changeProfile(companyId, { footer: 'One' }, null);
    await stack().sql(
      `INSERT INTO company_profile_versions (company_id, version, valid_from, body)
       SELECT company_id, 2, $2, body FROM company_profile_versions WHERE company_id = $1`,
      [companyId, future],
    );
    await Promise.all(['Two', 'Three'].map(footer => changeProfile(companyId, { footer }, null)));
    const times = (await versionsOf(companyId)).slice(1).map(({ at }) => at.toISOString());
    expect(times).to.deep.equal([future, '2099-01-01T00:00:00.001Z', '2099-01-01T00:00:00.002Z']);
  });

  it('is changed and printed by the admin command', async () => {
    const { companyId } = await makeCompany(stack());
    const { path, remove } = await temporaryDirectory();
    atEnd(remove);
    const file = join(path, 'profile.json');
    const run = async (patch: unknown) => {
      writeFileSync(file, JSON.stringify(patch));
      const args = ['company', 'profile', '--company', companyId, '--file', file];
      return runAdminCommand(args, ADMIN_CONTEXT);
    };
    const logo = (await pngOf(3, 2, [200, 10, 10])).toString('base64');
    const printed = (await run({ address: ADDRESS, logo })) as { logo: string };
    expect(printed).to.deep.include({ legalName: null, paper: 'a4' });
    expect(await run(printed)).to.deep.equal(printed);
    expect(await versionsOf(companyId)).to.have.length(1);
    const refused = await run({ iban: 'DE1' }).catch((error: Error) => error.message);
    expect(refused).to.equal('/iban: This is not an IBAN: compare it with your bank statement.');
  });
});

describe('an IBAN', () => {
  it('has the right form and checksum', () => {
    for (const right of ['DE89370400440532013000', 'GB82WEST12345698765432', 'NO9386011117947'])
      expect(isIban(right), right).to.equal(true);
    for (const wrong of ['DE89370400440532013001', 'de89370400440532013000', 'DE8', ''])
      expect(isIban(wrong), wrong).to.equal(false);
  });
});

describe('a logo', () => {
  const chunked = (bytes: Buffer) => bytes.toString('base64');

  it('is flattened onto white', async () => {
    const logo = await readLogo(await pngOf(2, 1, [0, 0, 0], 0.5));
    if (typeof logo === 'string') throw new Error(logo);
    const picture = await readPng(logo.bytes, 10);
    expect([...(picture?.rgb ?? [])]).to.deep.equal([128, 128, 128, 128, 128, 128]);
  });

  it('is read from each form of PNG', async () => {
    const rgb = Buffer.from(Array.from({ length: 9 * 5 * 3 }, (_, at) => (at * 37) % 256));
    const picture = { width: 9, height: 5, rgb };
    expect((await readPng(await writePng(picture), 10))?.rgb).to.deep.equal(rgb);
    const grey = Buffer.alloc(12, 200);
    const written = await writePng({ width: 2, height: 2, rgb: grey });
    expect(written[25], 'colour type').to.equal(0);
    expect((await readPng(written, 10))?.rgb).to.deep.equal(grey);
  });

  it('may be a JPEG in RGB or grey, but not in CMYK', async () => {
    const segment = (marker: number, ...content: number[]) => [
      ...[0xff, marker, 0, content.length + 2],
      ...content,
    ];
    const jpeg = (components: number) =>
      Buffer.from([
        ...[0xff, 0xd8, ...segment(0xdb, 0), ...segment(0xc0, 8, 0, 16, 0, 16, components)],
        ...[...segment(0xc4, 0), ...segment(0xda, 0), 0, 0xff, 0xd9],
      ]);
    for (const [components, isRight] of [
      [1, true],
      [3, true],
      [4, false],
    ] as const) {
      const logo = await readLogo(jpeg(components));
      expect(typeof logo === 'string', String(components)).to.equal(!isRight);
    }
  });

  it('is refused if it is cut, too large, or unpacks to more than its size', async () => {
    const whole = await pngOf(40, 40, [1, 2, 3]);
    const bomb = await pngOf(40, 40, [1, 2, 3], 1, deflateSync(Buffer.alloc(100_000_000)));
    const refused = [
      whole.subarray(0, -20),
      await pngOf(1_001, 1, [1, 2, 3]),
      Buffer.alloc(200_001),
      bomb,
      Buffer.from('GIF89a'),
    ];
    for (const bytes of refused)
      expect(await readLogo(bytes), chunked(bytes).slice(0, 20)).to.be.a('string');
    expect(await readLogo(whole)).to.be.an('object');
  });
});
