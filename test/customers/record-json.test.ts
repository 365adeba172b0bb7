// The JSON text of a customer's record as it is stored, byte by byte: verify compares it with what
// it renders itself, so a release must not change it.
import { expect } from 'chai';
import {
  type CustomerRecord,
  customerJson,
  EMPTY_FIELDS,
  parseCustomer,
  renderCustomer,
} from '../../src/customers/record.js';

const empty: CustomerRecord = {
  ...EMPTY_FIELDS,
  id: '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e44',
  number: 'C-00001',
  name: 'Hall "A" \\',
  mergedInto: null,
  createdAt: '2026-02-28T09:01:02.003Z',
  updatedAt: '2026-02-28T09:01:02.003Z',
};
const HEAD = `{"id":"${empty.id}","number":"C-00001","name":"Hall \\"A\\" \\\\",`;
const TIMES = `"createdAt":"${empty.createdAt}","updatedAt":"${empty.updatedAt}"}`;
const NO_ADDRESS = '"line1":null,"line2":null,"line3":null,"city":null,"postalCode":null';

describe('The JSON text of a record', () => {
  it('has every member, in order, if most are empty', () => {
    expect(renderCustomer(empty)).to.equal(
      `${HEAD}"legalName":null,"aliases":[],"externalId":null,"email":null,"emailCc":[],` +
        '"phone":null,"contactName":null,"address":null,"deliveryAddress":null,"taxId":null,' +
        '"registrationId":null,"electronicAddress":null,"buyerReference":null,"language":null,' +
        '"termsDays":null,"tax":null,"creditLimit":null,"hold":false,"currency":null,' +
        `"note":null,"archived":false,"mergedInto":null,${TIMES}`,
    );
  });

  it('has the parts of addresses in order, and the text of each number', () => {
    const address = { line1: null, line2: null, line3: null, city: null, postalCode: null };
    const full: CustomerRecord = {
      ...empty,
      legalName: 'Hall Ltd',
      aliases: ['Hall & Sons', 'Ha\u2028ll'],
      emailCc: ['a@b.example'],
      address: { country: 'DE', region: 'Sachsen', ...address },
      deliveryAddress: { ...address, city: 'Halle', region: null, country: 'DE' },
      electronicAddress: { id: 'x', scheme: '0088' },
      language: 'de',
      termsDays: 0,
      tax: { rate: 7.125, category: 'E', reason: 'Art. "1"' },
      creditLimit: 99_999_999_999.99,
      hold: true,
      note: 'Two\nlines',
      mergedInto: empty.id,
    };
    expect(renderCustomer(full)).to.equal(
      `${HEAD}"legalName":"Hall Ltd","aliases":["Hall & Sons","Ha\u2028ll"],"externalId":null,` +
        '"email":null,"emailCc":["a@b.example"],"phone":null,"contactName":null,' +
        `"address":{${NO_ADDRESS},"region":"Sachsen","country":"DE"},` +
        `"deliveryAddress":{${NO_ADDRESS.replace('"city":null', '"city":"Halle"')},` +
        '"region":null,"country":"DE"},"taxId":null,"registrationId":null,' +
        '"electronicAddress":{"scheme":"0088","id":"x"},"buyerReference":null,"language":"de",' +
        '"termsDays":0,"tax":{"rate":7.125,"category":"E","reason":"Art. \\"1\\""},' +
        '"creditLimit":99999999999.99,"hold":true,"currency":null,"note":"Two\\nlines",' +
        `"archived":false,"mergedInto":"${empty.id}",${TIMES}`,
    );
    expect(renderCustomer({ ...full, tax: { rate: 0 } })).to.include('"tax":{"rate":0},');
    expect(renderCustomer(parseCustomer(renderCustomer(full)))).to.equal(renderCustomer(full));
    expect(customerJson(renderCustomer(full), 'EUR')).to.include(',"currency":"EUR","note":');
  });
});
