// The versions of a record, newest first: who changed which field when.

import { useContext } from 'preact/hooks';
import { listVersions, type ShownVersion } from '../../customers/queries.js';
import { notFound } from '../../platform/errors.js';
import type { Cursors } from '../../platform/http/pagination.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { type Answer, type PageRequest, uuidOr404 } from '../kit/page.js';
import { ButtonLink, By, PageContext, PageHead, Pager, Time } from '../kit/ui/components.js';
import { formatMoney } from '../kit/ui/format.js';
import { type Customer, customerPath, getCustomer } from './customer-view.js';
import { FIELD_NAMES, LABELS, textsOf } from './fields.js';
import { countryName, languageName, taxTypeName } from './options.js';

const VERSIONS = 50;

export async function showHistory(
  { session, params, query }: PageRequest,
  cursors: Cursors,
): Promise<Answer> {
  const { companyId } = session;
  const id = uuidOr404('customer', params.id);
  const list = `history ${id}`;
  const [position] = cursors.position(companyId, list, query.get('cursor') ?? undefined) ?? [];
  const before = position === undefined ? null : Number(position);
  const [customer, versions] = await Promise.all([
    getCustomer(companyId, id),
    listVersions(companyId, id, { before, limit: VERSIONS }),
  ]);
  if (versions.length === 0) throw notFound('customer');
  const path = `${customerPath({ id })}/history`;
  const hasMore = versions.length > VERSIONS;
  const last = versions.at(VERSIONS - 1);
  const title = `History of ${customer.name}`;
  const body = (
    <>
      <PageHead title="History" note={customer.name}>
        <ButtonLink href={customerPath(customer)} quiet>
          Open customer
        </ButtonLink>
      </PageHead>
      <ol class="panel history" aria-label={title}>
        {versions.slice(0, VERSIONS).map((version, index) => (
          <Version key={version.version} version={version} previous={versions[index + 1] ?? null} />
        ))}
      </ol>
      <Pager
        first={before === null ? null : path}
        next={
          hasMore && last
            ? `${path}?cursor=${cursors.cursor(companyId, list, [String(last.version)])}`
            : null
        }
      />
    </>
  );
  return { title, body };
}

interface VersionProps {
  readonly version: ShownVersion;
  readonly previous: ShownVersion | null;
}

function Version({ version, previous }: VersionProps) {
  const { at, changedBy } = version;
  const changes = changesOf(version, previous, useContext(PageContext).currency);
  return (
    <li>
      <p class="history-when">
        <Time at={at} /> · <By actor={changedBy} />
      </p>
      <dl class="history-changes">
        {changes.map(({ label, before, after }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {before !== '' && <del>{before}</del>} {after !== '' && <ins>{after}</ins>}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

interface Change {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

function changesOf(
  version: ShownVersion,
  previous: ShownVersion | null,
  currency: string,
): Change[] {
  const [before, after] = [recordOf(previous), recordOf(version)];
  if (!after) return [{ label: 'Customer', before: '', after: 'Deleted' }];
  const [old, current] = [before && textsOf(before), textsOf(after)];
  const fields = FIELD_NAMES.map(name => ({
    label: LABELS[name] as string,
    before: shownText(name, old?.get(name) ?? '', currency),
    after: shownText(name, current.get(name) ?? '', currency),
  }));
  return [...stateChanges(before, after), ...fields].filter(each => each.before !== each.after);
}

function stateChanges(before: Customer | null, after: Customer): Change[] {
  const stateOf = ({ archived, mergedInto }: Customer) =>
    mergedInto !== null ? 'Merged into another customer' : archived ? 'Archived' : 'In use';
  return [
    {
      label: 'Customer',
      before: before ? stateOf(before) : '',
      after: before ? stateOf(after) : 'Created',
    },
  ];
}

/** The value of a field as people read it. */
export function shownText(name: string, text: string, currency: string): string {
  if (text === '') return '';
  if (name === 'creditLimit') return formatMoney(text, currency);
  if (name === 'hold') return 'Yes';
  if (name.endsWith('.country')) return countryName(text);
  if (name === 'language') return languageName(text);
  if (name === 'tax.category') return taxTypeName(text);
  return text.replaceAll('\n', ', ');
}

function recordOf(version: ShownVersion | null): Customer | null {
  return version?.body ? parseDecimalJson<Customer>(version.body) : null;
}
