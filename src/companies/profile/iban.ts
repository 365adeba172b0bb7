// International bank account numbers (ISO 13616): the form and the checksum.

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/u;

/** True if the checksum (ISO 7064, MOD 97-10) of an IBAN without spaces is right. */
export function isIban(text: string): boolean {
  if (!IBAN.test(text)) return false;
  let rest = 0;
  for (const character of text.slice(4) + text.slice(0, 4)) {
    // A letter stands for two digits, from A = 10.
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** In groups of four, for people. */
export function groupedIban(iban: string): string {
  return iban.replaceAll(/(.{4})(?=.)/gu, '$1 ');
}
