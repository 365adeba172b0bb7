// The fields of a record that have a value.
import { Panel, Time } from '../../kit/ui/components.js';
import { Facts } from '../../kit/ui/facts.js';
import type { Customer } from '../customer-view.js';
import { FIELD_NAMES, LABELS, textsOf } from '../fields.js';
import { shownText } from '../history.js';

export function Details({ customer }: { customer: Customer }) {
  const texts = textsOf(customer);
  const { note, createdAt, updatedAt, currency } = customer;
  return (
    <Panel title="Details">
      <Facts
        class="key-facts"
        facts={[
          ...FIELD_NAMES.filter(name => name !== 'note').map(
            name =>
              [LABELS[name] as string, shownText(name, texts.get(name) ?? '', currency)] as const,
          ),
          ['Added', <Time key="added" at={createdAt} />],
          ['Last change', <Time key="changed" at={updatedAt} />],
        ]}
      />
      {note !== null && <p class="long-note">{note}</p>}
    </Panel>
  );
}
