// The currency that a company in a time zone probably uses. Imports nothing: the browser has it,
// too.

/** The ends of zones' names by currency. */
const CURRENCIES: Readonly<Record<string, string>> = {
  EUR:
    'Amsterdam Andorra Athens Azores Berlin Bratislava Brussels Busingen Canary Ceuta Dublin ' +
    'Helsinki Lisbon Ljubljana Luxembourg Madeira Madrid Malta Mariehamn Monaco Nicosia Paris ' +
    'Podgorica Reunion Riga Rome San_Marino Sofia Tallinn Vatican Vienna Vilnius Zagreb',
  GBP: 'London Guernsey Isle_of_Man Jersey',
  CHF: 'Zurich Vaduz',
  SEK: 'Stockholm',
  NOK: 'Oslo Longyearbyen',
  DKK: 'Copenhagen Faroe Nuuk',
  ISK: 'Reykjavik',
  PLN: 'Warsaw',
  CZK: 'Prague',
  HUF: 'Budapest',
  RON: 'Bucharest',
  RSD: 'Belgrade',
  UAH: 'Kyiv',
  TRY: 'Istanbul',
  CAD:
    'Edmonton Halifax Iqaluit Moncton Regina St_Johns Toronto Vancouver Whitehorse Winnipeg ' +
    'Yellowknife',
  MXN: 'Cancun Hermosillo Mexico_City Monterrey Tijuana',
  BRL: 'Bahia Belem Fortaleza Manaus Recife Sao_Paulo',
  ARS: 'Buenos_Aires Cordoba',
  CLP: 'Santiago',
  COP: 'Bogota',
  PEN: 'Lima',
  AUD: 'Adelaide Brisbane Darwin Hobart Melbourne Perth Sydney',
  NZD: 'Auckland',
  JPY: 'Tokyo',
  CNY: 'Shanghai Urumqi',
  HKD: 'Hong_Kong',
  TWD: 'Taipei',
  KRW: 'Seoul',
  INR: 'Kolkata',
  SGD: 'Singapore',
  MYR: 'Kuala_Lumpur',
  THB: 'Bangkok',
  IDR: 'Jakarta',
  PHP: 'Manila',
  VND: 'Ho_Chi_Minh',
  AED: 'Dubai',
  SAR: 'Riyadh',
  ILS: 'Jerusalem',
  EGP: 'Cairo',
  KES: 'Nairobi',
  NGN: 'Lagos',
  ZAR: 'Johannesburg',
};

/** The code of the currency; null for a zone that says nothing. */
export function currencyOfZone(zone: string): string | null {
  const place = zone.slice(zone.lastIndexOf('/') + 1);
  const found = Object.entries(CURRENCIES).find(([, places]) => places.split(' ').includes(place));
  return found?.[0] ?? null;
}
