// Settings → API access: the company's keys, and its usage this hour.
import { type KeyView, listKeyViews } from '../../api-keys/queries.js';
import { getCompany } from '../../companies/service.js';
import { isUuid } from '../../platform/values/ids.js';
import type { PageAnswer, PageRequest } from '../kit/page.js';
import { ButtonLink, Empty, PageHead, Pager, Panel, Time } from '../kit/ui/components.js';
import { Table } from '../kit/ui/list.js';
import {
  type CreatorNames,
  creatorNames,
  describeScopes,
  KEYS,
  KeyBadge,
  NEW_KEY,
  TimeOrNever,
} from './key-parts.js';
import { type UsageOf, UsagePanel } from './usage.js';

const PAGE_SIZE = 50;

export async function showKeys(request: PageRequest, usageOf: UsageOf): Promise<PageAnswer> {
  const { companyId } = request.session;
  const after = request.query.get('after');
  const [{ keys, next }, nameOf, usage] = await Promise.all([
    listKeyViews(companyId, after !== null && isUuid(after) ? after : null, PAGE_SIZE),
    creatorNames(companyId),
    getCompany(companyId).then(company => usageOf(companyId, company.rateLimitPerHour)),
  ]);
  const body = (
    <>
      <PageHead
        title="API access"
        note="API keys let your shop, till or accounting software create invoices and read stock."
      >
        <ButtonLink href="/docs" quiet>
          API reference
        </ButtonLink>
        {keys.length > 0 && <ButtonLink href={NEW_KEY}>Create API key</ButtonLink>}
      </PageHead>
      {keys.length === 0 ? (
        <Empty
          title="No API keys yet"
          icon="key"
          actions={<ButtonLink href={NEW_KEY}>Create API key</ButtonLink>}
        >
          <p>Create one, then paste its example into a terminal to see your own figures.</p>
        </Empty>
      ) : (
        <Panel title="Keys">
          <KeyTable keys={keys} nameOf={nameOf} />
          <Pager first={after === null ? null : KEYS} next={next && `${KEYS}?after=${next}`} />
        </Panel>
      )}
      <UsagePanel usage={usage} />
    </>
  );
  return { title: 'API access', body };
}

function KeyTable({ keys, nameOf }: { keys: readonly KeyView[]; nameOf: CreatorNames }) {
  return (
    <Table
      caption="API keys, newest first"
      rows={keys}
      columns={[
        {
          head: 'Key',
          cell: ({ keyId, name, publicId }) => (
            <>
              <a class="row-name" href={`${KEYS}/${keyId}`}>
                {name}
              </a>
              <code class="key-id">tpk_{publicId}…</code>
            </>
          ),
        },
        {
          head: 'Status',
          cell: key => (
            <>
              <KeyBadge {...key} />
              <Expiry keyView={key} />
            </>
          ),
        },
        { head: 'Permissions', cell: ({ scopes }) => describeScopes(scopes) },
        { head: 'Last used', cell: ({ lastUsedAt }) => <TimeOrNever at={lastUsedAt} /> },
        {
          head: 'Created by',
          cell: ({ createdAt, createdBy }) => (
            <>
              <span class="wraps">{nameOf(createdBy)}</span>
              <span class="by">
                <Time at={createdAt} />
              </span>
            </>
          ),
        },
      ]}
    />
  );
}

/** When a key ends, unless it never does or already has. */
function Expiry({ keyView: { expiresAt, state } }: { keyView: KeyView }) {
  if (expiresAt === null || state === 'revoked' || state === 'expired') return null;
  return (
    <span class="by">
      Expires <Time at={expiresAt} />
    </span>
  );
}
