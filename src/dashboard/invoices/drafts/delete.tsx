// Deleting a draft, after a confirmation on a page of its own.
import Joi from 'joi';
import { DRAFT_FIELD } from '../../../invoices/drafts/draft-ref.js';
import { type Draft, deleteDraft, findDraft } from '../../../invoices/drafts/drafts.js';
import { type FormState, newForm } from '../../kit/forms/form-state.js';
import { plainForm } from '../../kit/forms/plain-form.js';
import { getOr404, type PageAnswer } from '../../kit/page.js';
import { By, PageHead, Panel, Time } from '../../kit/ui/components.js';
import { FormActions } from '../../kit/ui/field-groups.js';
import { Form, Hidden } from '../../kit/ui/fields.js';
import { draftName, draftPath } from './save.js';

interface DeleteBody {
  readonly version: number;
}

/** Deletes the version that the page showed. */
export const deleteDraftForm = plainForm<DeleteBody, 'change-sales', Draft>({
  path: '/invoices/drafts/:id/delete',
  guard: 'change-sales',
  load: ({ session, params }) =>
    getOr404('draft', params.id, id => findDraft(session.companyId, id)),
  initial: () => newForm(),
  schema: Joi.object({ version: Joi.number().integer().required() }),
  save: async ({ version }, { session, loaded: { id } }) => {
    await deleteDraft(session.companyId, { id, version });
    return { to: '/invoices/drafts', flash: 'Draft deleted.' };
  },
  page: (state, { loaded }) => deletePage(state, loaded),
});

function deletePage(state: FormState, draft: Draft): PageAnswer {
  const { id, customerName, createdBy, savedBy, savedAt, version } = draft;
  // A page after a refusal shows the present version.
  const message = state.errors.has(DRAFT_FIELD) ? CHANGED : state.message;
  const shown = { ...state, errors: new Map(), ...(message === undefined ? {} : { message }) };
  const body = (
    <>
      <PageHead
        title={`Delete draft ${draftName(draft)}`}
        note={customerName || 'No customer yet'}
      />
      <Panel title="Delete" note="It can’t be undone." class="danger-zone" split>
        <p>
          Created by <By actor={createdBy} />, saved by <By actor={savedBy} /> on{' '}
          <Time at={savedAt} />. No invoice was issued from it.
        </p>
        <Form action={`/invoices/drafts/${id}/delete`} state={shown} label="Delete">
          <Hidden name="version" value={String(version)} />
          <FormActions submit="Delete draft" cancel={draftPath(id)} danger />
        </Form>
      </Panel>
    </>
  );
  return { title: 'Delete draft', body };
}

const CHANGED = 'The draft was changed in the meantime and is not deleted. Check it first.';
