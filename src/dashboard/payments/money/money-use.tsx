// The use and the history of the money of a payment or credit note, for their pages.
import type { FundsUsage } from '../../../ledger/entry-json.js';
import type { FundsEntry, FundsHistory } from '../../../ledger/history.js';
import { ButtonLink, Money, Panel } from '../../kit/ui/components.js';
import { Facts } from '../../kit/ui/facts.js';
import { AMOUNT_COLUMN, List } from '../../kit/ui/list.js';
import { methodLabel } from '../payment-view.js';
import { EntryTime } from './entry-time.js';

interface ActionsProps {
  /** The page of the payment or credit note. */
  readonly path: string;
  readonly use: FundsUsage;
  /** Whether money can be taken back from the invoices that have it. */
  readonly canTakeBack: boolean;
}

/** Links to what can be done with the money. */
export function MoneyActions({
  path,
  use: { allocations, unallocated },
  canTakeBack,
}: ActionsProps) {
  const hasRemainder = unallocated !== '0';
  return (
    <>
      {hasRemainder && (
        <ButtonLink href={`${path}/refund`} quiet>
          Refund
        </ButtonLink>
      )}
      {(hasRemainder || (allocations.length > 0 && canTakeBack)) && (
        <ButtonLink href={`${path}/allocate`} quiet={!hasRemainder}>
          {hasRemainder ? 'Allocate' : 'Change allocation'}
        </ButtonLink>
      )}
    </>
  );
}

/** The invoices that have the money, and the unallocated remainder. */
export function UsePanel({ use }: { use: FundsUsage }) {
  const { allocations, refunded, unallocated } = use;
  return (
    <Panel title="Applied to">
      {allocations.length === 0 ? (
        <p class="note">Not applied to any invoice.</p>
      ) : (
        <List
          caption="Applied to"
          rows={allocations}
          hrefOf={({ invoiceId }) => `/invoices/${invoiceId}`}
          columns={[{ head: 'Invoice', cell: ({ invoiceNumber }) => invoiceNumber }, AMOUNT_COLUMN]}
        />
      )}
      <Facts
        class="money-usage"
        facts={[
          ['Refunded', refunded !== '0' && <Money key="refunded" value={refunded} />],
          ['Unallocated', <Money key="unallocated" value={unallocated} />],
        ]}
      />
    </Panel>
  );
}

const TYPE_LABELS: Readonly<Record<FundsEntry['type'], string>> = {
  payment: 'Recorded',
  creditNote: 'Created',
  allocation: 'Allocated',
  refund: 'Refunded',
  reversal: 'Reversed',
};

export function HistoryPanel({ entries, isCut }: FundsHistory) {
  return (
    <Panel title="History" note={isCut && `The newest ${entries.length} entries`}>
      <ul class="movements history" aria-label="History">
        {entries.map(entry => (
          <Entry key={entry.sequence} entry={entry} />
        ))}
      </ul>
    </Panel>
  );
}

function Entry({ entry }: { entry: FundsEntry }) {
  const { type, date, amount, method, reference, explanation, createdAt, createdBy } = entry;
  const isLater = type === 'refund' || type === 'reversal' || type === 'allocation';
  const details = isLater
    ? [type === 'refund' && method !== null && methodLabel(method), reference, entry.note]
    : [];
  const texts = [...details, explanation].filter(text => text);
  return (
    <li>
      <p class="movement-kind">
        {TYPE_LABELS[type]}
        {entry.invoices.length > 0 && <Invoices entry={entry} />}
      </p>
      <p class="movement-change">{type !== 'allocation' && <Money value={amount} />}</p>
      <p class="movement-when">
        <EntryTime date={date} createdAt={createdAt} createdBy={createdBy} />
        {texts.length > 0 && <span class="movement-note">{texts.join(' · ')}</span>}
      </p>
    </li>
  );
}

/** The amounts that the entry gave to invoices or took back from them. */
function Invoices({ entry: { invoices } }: { entry: FundsEntry }) {
  return (
    <span class="history-invoices">
      {invoices.map(({ id, number, amount }) => (
        <span key={id}>
          {amount.startsWith('-') ? 'from ' : 'to '}
          <a href={`/invoices/${id}`}>{number}</a>{' '}
          <Money value={amount.startsWith('-') ? amount.slice(1) : amount} />
        </span>
      ))}
    </span>
  );
}
