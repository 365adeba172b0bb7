// Files of customers as other programs export them: headings and values in words, in two languages.
import { expect } from 'chai';
import { FORMAT } from '../../src/customer-records/imports/columns.js';
import { countryOf, languageOf, termsOf } from '../../src/customer-records/imports/words.js';
import { readImportedFile } from '../../src/imports/file/read-file.js';

const OPTIONS = { decimalMark: null, encoding: null, separator: null, chosen: null };

async function read(content: string) {
  const file = await readImportedFile(FORMAT, Buffer.from(content), {
    ...OPTIONS,
    currency: 'EUR',
  });
  const rows = file.chunks.flatMap(chunk => JSON.parse(chunk) as Record<string, unknown>[]);
  return { ...file, rows };
}

describe('a file of customers from another program', () => {
  it('has headings and values in English words', async () => {
    const { columns, rows } = await read(
      'Name,E-mail,Phone,Street,City,ZIP,Country,Payment terms,Credit limit,VAT number,On hold\n' +
        'Quay,ap@quay.example,+44 20 1,1 Quay,London,SW1,United Kingdom,Net 30,"1,000.50",GB1,no',
    );
    expect(columns).to.not.include(undefined);
    expect(rows[0]?.entry).to.deep.equal({
      ...{ name: 'Quay', email: 'ap@quay.example', phone: '+44 20 1', addressLine1: '1 Quay' },
      ...{ addressCity: 'London', addressPostalCode: 'SW1', addressCountry: 'GB' },
      ...{ termsDays: 30, creditLimit: 1000.5, taxId: 'GB1', hold: false },
    });
  });

  it('has headings and values in German words', async () => {
    const { columns, rows } = await read(
      'Kundennummer;Firma;Ansprechpartner;Straße;PLZ;Ort;Land;Zahlungsziel (Tage);' +
        'Kreditlimit;USt-IdNr.;Gesperrt;Steuersatz;Lieferort;Liefer-Land;Sprache\n' +
        '10001;Brücke GmbH;Ann;Kai 1;01067;Dresden;Deutschland;14 Tage netto;' +
        '1.000,50 €;DE1;ja;19 %;Bremen;Österreich;Deutsch',
    );
    expect(columns).to.not.include(undefined);
    expect(rows[0]?.entry).to.deep.equal({
      ...{ number: '10001', name: 'Brücke GmbH', contactName: 'Ann', addressLine1: 'Kai 1' },
      ...{ addressPostalCode: '01067', addressCity: 'Dresden', addressCountry: 'DE' },
      ...{ termsDays: 14, creditLimit: 1000.5, taxId: 'DE1', hold: true, taxRate: 19 },
      ...{ deliveryCity: 'Bremen', deliveryCountry: 'AT', language: 'de' },
    });
  });

  it('lets its user choose columns whose headings are contradictory or unknown', async () => {
    expect((await read('Name,Company\nAnn,Quay')).columns).to.deep.equal([]);
    expect((await read('Wer,Wo\nAnn,Quay')).columns).to.deep.equal([]);
  });

  it('is refused where its words are not known', async () => {
    const { rows } = await read('Name,Country,Terms\nA,Atlantis,2/10 net 30\nB,,end of month');
    expect(rows.map(({ errors }) => errors)).to.deep.equal([
      [
        'termsDays “2/10 net 30”: Must be a number of days, such as 30 or Net 30.',
        'addressCountry “Atlantis”: Must be a country, such as DE or Germany.',
      ].sort(),
      ['termsDays “end of month”: Must be a number of days, such as 30 or Net 30.'],
    ]);
  });
});

describe('words in a file of customers', () => {
  it('name countries in six languages, by their code, and by usual other names', () => {
    for (const [code, names] of Object.entries({
      GB: ['United Kingdom', 'UK', 'Great Britain', 'gb', 'Vereinigtes Königreich', 'Royaume-Uni'],
      DE: ['Germany', 'DEUTSCHLAND', 'de', 'Allemagne', 'Alemania', 'Germania', 'Duitsland'],
      US: ['USA', 'U.S.A.', 'United States', 'The United States of America'],
      NL: ['Netherlands', 'The Netherlands', 'Holland', 'Niederlande'],
      BA: ['Bosnia & Herzegovina', 'Bosnia and Herzegovina'],
    }))
      for (const name of names) expect(countryOf(name), name).to.equal(code);
    expect(countryOf('Atlantis')).to.equal('Atlantis');
  });

  it('name payment terms', () => {
    for (const text of [
      ...['30', '30 days', 'Net 30', 'NET30', 'net 30 days', 'n/30', '30 Tage', '30 Tage netto'],
      ...['Within 30 days', 'Zahlbar innerhalb von 30 Tagen', '30 jours', '30.0', '30 d', '(30)'],
    ])
      expect(termsOf(text), text).to.equal(30);
    for (const text of ['Due on receipt', 'sofort', 'Immediately', '0', 'Net 0'])
      expect(termsOf(text), text).to.equal(0);
    for (const text of ['2/10 net 30', '30 days EOM', '2 weeks', '-30', 'soon', '30 % in advance'])
      expect(termsOf(text), text).to.equal(text);
  });

  it('are read in linear time', () => {
    const text = `${'.'.repeat(100_000)}1`;
    const start = process.cpuUsage();
    expect(termsOf(text)).to.equal(text);
    // Starting at each dot took ten seconds.
    expect(process.cpuUsage(start).user).to.be.below(1_000_000);
  });

  it('name languages', () => {
    for (const name of ['German', 'Deutsch', 'de', 'DE', 'allemand'])
      expect(languageOf(name), name).to.equal('de');
    expect(languageOf('Klingon')).to.equal('Klingon');
  });
});
