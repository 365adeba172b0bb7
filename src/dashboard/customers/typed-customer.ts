// The customer that a person types into a form or a search: every field reads it here.
import {
  findMeant,
  listNearNames,
  type MeantCustomer,
  nearest,
} from '../../customers/names/typed.js';
import { foldText } from '../../platform/values/folded-text.js';
import { searchText } from '../../platform/values/search-text.js';
import { matchKey } from '../../platform/values/text.js';
import { findByName } from '../../receivables/customer.js';
import { suggestPlainNames } from '../../receivables/names-without-record.js';

/**
 * A record, which may be archived; the name of earlier invoices or payments without a record; or a
 * new name, with known names that it may be a typing error of.
 */
export type TypedCustomer =
  | { readonly kind: 'record'; readonly name: string; readonly record: MeantCustomer }
  | { readonly kind: 'plain'; readonly name: string }
  | { readonly kind: 'new'; readonly name: string; readonly near: readonly string[] };

/** Near names that a page offers. */
const OFFERED = 3;
/** A plain name is found if it begins like the text, and is one of the first that do. */
const SAME_START = 2;
const STARTS = 50;

/** Null for an empty text. */
export async function readTypedCustomer(
  companyId: string,
  typed: string | null,
): Promise<TypedCustomer | null> {
  const name = searchText(typed);
  if (name === '') return null;
  const record = await findMeant(companyId, name);
  if (record) return { kind: 'record', name: record.name, record };
  if (await findByName(companyId, name)) return { kind: 'plain', name };
  const near = await nearNames(companyId, name);
  // Another request may have written the name since it was looked up.
  if (near.some(each => matchKey(each) === matchKey(name))) return { kind: 'plain', name };
  return { kind: 'new', name, near };
}

/** The name of the customer that is meant: a record's, else the text. */
export async function meantName(companyId: string, typed: string): Promise<string> {
  const text = searchText(typed);
  return text === '' ? text : ((await findMeant(companyId, text))?.name ?? text);
}

/**
 * The text to look for in documents: they have the names of customers, so a number stands for the
 * name.
 */
export async function searchedName(companyId: string, text: string): Promise<string> {
  const record = await findMeant(companyId, text);
  return record && matchKey(record.number) === matchKey(text) ? record.name : text;
}

async function nearNames(companyId: string, text: string): Promise<string[]> {
  const typed = foldText(text);
  const start = [...text].slice(0, SAME_START).join('');
  const [records, plain] = await Promise.all([
    listNearNames(companyId, text, OFFERED),
    suggestPlainNames(companyId, start, STARTS),
  ]);
  const names = plain.map(name => ({ name, texts: [foldText(name)] }));
  return [...new Set([...records, ...nearest(typed, names, OFFERED)])].slice(0, OFFERED);
}
