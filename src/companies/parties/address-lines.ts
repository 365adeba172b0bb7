// The lines of a postal address in the order of its country. The orders are those of Google's
// libaddressinput. A part that the order of a country leaves out is printed all the same.
import type { Address } from './party.js';

/**
 * Countries by order. L is the lines of the street, C the city, S the state or region, Z the postal
 * code, and a slash begins a line. Separators are left out beside a part that is missing.
 */
const ORDERS: Readonly<Record<string, string>> = {
  'L/C, S Z': 'US BB JP SO TW',
  'L/C S Z': 'AS AU CA CC CX FM HM MH MP NF PG PR PW UM VI',
  'L/C/S/Z': 'EG GB IE KR RU UA',
  'L/C/Z': 'AC AF AI FK GG GS IM IO JE KE LK NA PN SD SH SZ TA TC VG ZA',
  'L/C Z': 'BH BM BN BT GI GU IL JO KH LB LS MT MV NP NZ SA SG VC',
  'L/C Z/S': 'IN NG PE',
  'L/C/S Z': 'HK ID KY MN MO TH VN',
  'L/C/S, Z': 'CN',
  'L/C, S/Z': 'CR HN IQ',
  'L/C S/Z': 'CU',
  'L/C, S': 'BS KN',
  'L/C, S, Z': 'CO',
  'L/C Z, S': 'VE',
  'L/C, Z': 'LV MM',
  'L/C - Z': 'BD',
  'L/C-Z': 'PK',
  'L/C-S/Z': 'BR',
  'L/Z/C': 'AL EC MU OM',
  'L/Z/C, S': 'NI',
  'L/Z C, S': 'MX',
  'L/Z C S': 'ES IT PF UY',
  'L/Z C/S': 'MY',
  'C/L/Z': 'HU',
  'S/C/L/Z': 'IR',
};
/** Of all other countries. */
const USUAL = 'L/Z C/S';
/** Of an address in the script of its country, from the largest part to the smallest. */
const LOCAL_ORDERS: Readonly<Record<string, string>> = {
  'Z/SC/L': 'CN JP TW',
  'S C/L/Z': 'KR',
  'S/C/L': 'HK MO',
};
const LOCAL_SCRIPT = /\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}/u;

const orders = byCountry(ORDERS);
const localOrders = byCountry(LOCAL_ORDERS);

function byCountry(countries: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(countries).flatMap(([order, codes]) =>
      codes.split(' ').map(code => [code, order] as const),
    ),
  );
}

/** The lines of the address; the last one is the given name of its country, unless null. */
export function addressLines(address: Address, countryName: string | null): string[] {
  const { line1, line2, line3, city, region, postalCode, country } = address;
  const isLocal = LOCAL_SCRIPT.test(`${line1}${city}${region}`);
  const order = (isLocal && localOrders.get(country)) || orders.get(country) || USUAL;
  const parts = new Map([
    ['C', city],
    ['S', region],
    ['Z', postalCode],
  ]);
  const missing = [...parts.keys()].filter(part => !order.includes(part));
  const lines = [...order.split('/'), ...missing].flatMap(line =>
    line === 'L' ? [line1, line2, line3] : [lineOf(line, parts)],
  );
  return [...lines, countryName].filter(line => line !== null && line !== '') as string[];
}

function lineOf(order: string, parts: ReadonlyMap<string, string | null>): string {
  let line = '';
  let separator = '';
  for (const [token] of order.matchAll(/[CSZ]|[^CSZ]+/gu)) {
    const part = parts.get(token);
    if (part) line += line === '' ? part : separator + part;
    separator = parts.has(token) ? '' : token;
  }
  return line;
}
