// The documents of invoices and credit notes, opened in the browser. Where data are missing, a page
// says which, and links to where they are entered.
import type { DocumentKind } from '../../documents/model/load.js';
import { type PreparedDocument, prepareDocument } from '../../documents/service.js';
import type { DocumentForm } from '../../documents/thread/job.js';
import { type FieldError, Problem } from '../../platform/errors.js';
import { namePath } from '../customers/customer-view.js';
import {
  type Answer,
  type ContentAnswer,
  get,
  getOr404,
  type PageAnswer,
  type PageRequest,
  type PageRoute,
} from '../kit/page.js';
import { ButtonLink, PageHead, Panel } from '../kit/ui/components.js';
import { customerName } from './names.js';

/** Settings → Documents. */
export const DOCUMENT_SETTINGS = '/settings/documents';

const PATHS = { invoice: '/invoices', creditNote: '/credit-notes' };
const NOUNS = { invoice: 'invoice', creditNote: 'credit note' };
const XML_FORMS: readonly DocumentForm[] = ['ubl', 'cii'];

export function documentPages(): PageRoute[] {
  return [
    ...documentRoutes('invoice', ['pdf', 'delivery-note', ...XML_FORMS]),
    ...documentRoutes('creditNote', ['pdf', ...XML_FORMS]),
  ];
}

function documentRoutes(type: DocumentKind, forms: readonly DocumentForm[]): PageRoute[] {
  return forms.map(form =>
    get(`${PATHS[type]}/:id/${form}`, 'see-sales', request => showDocument(request, type, form)),
  );
}

async function showDocument(
  request: PageRequest,
  type: DocumentKind,
  form: DocumentForm,
): Promise<Answer> {
  const { companyId } = request.session;
  return getOr404(NOUNS[type], request.params.id, async id => {
    try {
      const prepared = await prepareDocument({ companyId, type, id }, form);
      return prepared && (await contentOf(prepared));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const back = `${PATHS[type]}/${id}`;
      return refusalPage(error, back, await customerName(companyId, type, id), request);
    }
  });
}

/** The file, as a browser shows it. */
export async function contentOf({ mediaType, fileName, render }: PreparedDocument) {
  const content = await render();
  return { type: mediaType, content, fileName, isInline: true } satisfies ContentAnswer;
}

/** True for a refusal that names what is missing. */
export function isRefusal(error: unknown): error is Problem {
  return (
    error instanceof Problem &&
    (error.code === 'document_incomplete' || error.code === 'document_unavailable')
  );
}

/** The page that lists the missing data, with links. `customer` is the name on the document. */
export function refusalPage(
  { message, details }: Problem,
  back: string,
  customer: string,
  { canSee }: Pick<PageRequest, 'canSee'>,
): PageAnswer {
  const { errors = [] } = details;
  const hrefOf = ({ pointer }: FieldError): string | null => {
    const path = pointer.startsWith('/company') ? DOCUMENT_SETTINGS : namePath(customer);
    return canSee(path) ? path : null;
  };
  const body = (
    <>
      <PageHead title="This document can’t be made yet">
        <ButtonLink href={back} quiet>
          Back
        </ButtonLink>
      </PageHead>
      <Panel title={message}>
        <ul class="stack">
          {errors.map(error => {
            const href = hrefOf(error);
            return (
              <li key={`${error.pointer} ${error.rule}`}>
                {href === null ? error.detail : <a href={href}>{error.detail}</a>}
              </li>
            );
          })}
        </ul>
      </Panel>
    </>
  );
  return { title: 'Document', body, status: 409 };
}
