// Formats figures, times and days for pages. The product is English only, in every country.
import { DECIMALS, minorUnits } from '../../../platform/values/money.js';

const LOCALE = 'en';

/** Formats "1234.5" in USD as $1,234.50. Exact: Intl reads the decimal text, not a double. */
export function formatMoney(value: string, currency: string): string {
  return formatAmount(value, currency, minorUnits(currency));
}

/** The price of one unit, which may have more decimals than the currency's minor unit. */
export function formatPrice(value: string, currency: string): string {
  return formatAmount(value, currency, Math.max(minorUnits(currency), DECIMALS));
}

function formatAmount(value: string, currency: string, maxDecimals: number): string {
  return formatNumber(value, {
    style: 'currency',
    currency,
    minimumFractionDigits: minorUnits(currency),
    maximumFractionDigits: maxDecimals,
  });
}

/** A quantity or count with thousands separators and all its decimals. */
export function formatQuantity(value: string | number): string {
  return formatNumber(value, { maximumFractionDigits: DECIMALS });
}

/** 1 invoice, 1,200 invoices. */
export function formatCount(count: string | number, noun: string): string {
  return `${formatQuantity(count)} ${noun}${String(count) === '1' ? '' : 's'}`;
}

/** "12.5" is +12.5%, "-4" is −4.0%. */
export function formatPercent(value: string): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return `${formatNumber(value, { ...digits, signDisplay: 'exceptZero' })}%`;
}

/** A formatted number. A negative one has a true minus sign. */
function formatNumber(value: string | number, options: Intl.NumberFormatOptions): string {
  const text = numberFormat(options).format(value as Intl.StringNumericLiteral);
  return text.replace('-', '−');
}

/** An instant in the company's zone. */
export function formatTime(instant: Date | string, timeZone: string): string {
  return dateFormat({ timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(instant),
  );
}

/** A calendar day (YYYY-MM-DD), independent of any zone. */
export function formatDay(day: string): string {
  return dateFormat({ timeZone: 'UTC', dateStyle: 'medium' }).format(new Date(`${day}T00:00:00Z`));
}

/** A month (YYYY-MM): November 2026. */
export function formatMonth(month: string): string {
  return dateFormat({ timeZone: 'UTC', year: 'numeric', month: 'long' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
}

/** How long ago an instant was: just now, 5 min ago, 2 h ago, 4 days ago. */
export function formatAge(instant: string, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - new Date(instant).getTime()) / 1000));
  if (seconds < 60) return 'just now';
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  const hours = Math.floor(seconds / 3_600);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}

// A formatter costs more to create than to use a hundred times. There are at most a few hundred
// currencies and zones, which bounds the caches.
const numberFormats = new Map<string, Intl.NumberFormat>();
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return cached(numberFormats, options, () => new Intl.NumberFormat(LOCALE, options));
}

function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return cached(dateFormats, options, () => new Intl.DateTimeFormat(LOCALE, options));
}

function cached<Format>(cache: Map<string, Format>, options: object, create: () => Format): Format {
  const key = JSON.stringify(options);
  const format = cache.get(key) ?? create();
  cache.set(key, format);
  return format;
}
