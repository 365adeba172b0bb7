// How a company's CSV downloads divide columns and figures.

/**
 * `comma`: commas between the columns and decimal points. `semicolon`: semicolons and decimal
 * commas, as Excel expects in countries that write 1,5.
 */
export const CSV_FORMATS = ['comma', 'semicolon'] as const;
export type CsvFormat = (typeof CSV_FORMATS)[number];
