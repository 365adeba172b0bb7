// The only page that shows a secret. It is the direct response to the form, so no URL, cookie or
// store ever holds the secret.
import { findKeyView } from '../../api-keys/queries.js';
import type { IssuedKey } from '../../api-keys/service.js';
import { API } from '../../platform/api-path.js';
import { today } from '../../platform/values/days.js';
import type { PageAnswer, PageRequest } from '../kit/page.js';
import { ButtonLink, Copyable, PageHead, Panel } from '../kit/ui/components.js';
import { exampleCommand } from './example.js';
import { KEYS } from './key-parts.js';

export async function newKeyPage(
  request: PageRequest,
  { keyId, key }: IssuedKey,
  title: string,
): Promise<PageAnswer> {
  const { session } = request;
  const view = await findKeyView(session.companyId, keyId);
  const { command, warning } = exampleCommand(
    `${request.origin}${API}`,
    key,
    view?.scopes ?? [],
    today(session),
  );
  const body = (
    <>
      <PageHead title={title} note={view?.name ?? ''} />
      <p class="message warn" role="status">
        Copy the key now and store it like a password. You won’t see it again. If you lose it,
        rotate the key.
      </p>
      <Panel title="Key">
        <Copyable label="API key" text={key} />
      </Panel>
      <Panel title="Try it" note="In a terminal">
        <Copyable label="Example request" text={command} block />
        {warning && <p class="note">{warning}</p>}
      </Panel>
      <p>
        <ButtonLink href={KEYS}>Done</ButtonLink>
      </p>
    </>
  );
  return { title, body, isDone: true };
}
