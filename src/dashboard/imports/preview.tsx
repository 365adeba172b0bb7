// The preview of an import: the changes it would make, its rows as they were read, and its start.

import { findColumnProblem, type ReadOptions } from '../../imports/file/read-file.js';
import type { Judgement } from '../../imports/judgement.js';
import { rereadPreview } from '../../imports/preview.js';
import { findJudgement, type ImportRecord } from '../../imports/queries.js';
import { startImport } from '../../imports/start.js';
import { Problem } from '../../platform/errors.js';
import type { Permission } from '../../users/roles.js';
import type { Session } from '../../users/sessions.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { directForm, type FormRequest } from '../kit/forms/plain-form.js';
import type { PageAnswer, PageRequest, PageRoute } from '../kit/page.js';
import { ButtonLink, PageHead, Panel } from '../kit/ui/components.js';
import { Button, Form } from '../kit/ui/fields.js';
import { formatCount } from '../kit/ui/format.js';
import { ColumnsPanel, chosenColumns } from './choose-columns.js';
import { chosenFormat, FileFormatPanel } from './file-format.js';
import { formPath, getImport, type ImportPages, importPath, readOptions } from './pages.js';
import { IgnoredColumns, RejectedRows, RepeatedRecords, UnreadRows } from './rows.js';

/** The states of refused forms. */
interface PreviewForms {
  readonly start?: FormState;
  readonly format?: FormState;
  readonly columns?: FormState;
}

/** Starts the import. Sent again, it leads to the same import. */
export function startForm(pages: ImportPages): PageRoute[] {
  return previewForm(pages, 'start', ({ session, form, loaded: { id } }) => {
    const { companyId, userId } = session;
    return startImport(pages.kind, companyId, id, userId, pages.startChoices?.(form) ?? {});
  });
}

/** Reads the stored file again with another encoding or other separators. */
export function formatForm(pages: ImportPages): PageRoute[] {
  return previewForm(pages, 'format', ({ session, form, loaded }) =>
    reread(pages, session, loaded, chosenFormat(form, loaded)),
  );
}

/** Reads the file with other columns, and detects the decimal separator in those. */
export function columnsForm(pages: ImportPages): PageRoute[] {
  return previewForm(pages, 'columns', ({ session, form, loaded }) => {
    const chosen = chosenColumns(pages.kind, form, loaded.header);
    return reread(pages, session, loaded, { chosen });
  });
}

/** Throws the Problem of an unreadable file without its field, which these forms lack. */
async function reread(
  pages: ImportPages,
  session: Session,
  found: ImportRecord,
  changes: Partial<ReadOptions>,
): Promise<void> {
  const options = readOptions(pages, session, found, changes);
  try {
    await rereadPreview(pages.kind, session.companyId, found.id, options);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    throw new Problem('validation_failed', error.details.errors?.[0]?.detail ?? error.message);
  }
}

/** Changes a preview and leads back to it, or shows it with the refused form. */
function previewForm(
  pages: ImportPages,
  name: keyof PreviewForms,
  change: (request: FormRequest<ImportRecord>) => Promise<void>,
): PageRoute[] {
  return directForm<void, Permission, ImportRecord>({
    path: `${importPath(pages, ':id')}/${name}`,
    guard: pages.guard,
    load: request => getImport(pages, request),
    send: change,
    done: (_, { loaded }) => ({ to: importPath(pages, loaded.id) }),
    page: (state, request) => previewPage(pages, request, request.loaded, { [name]: state }),
  });
}

/** The page of an import that is not started. */
export async function previewPage(
  pages: ImportPages,
  { session: { companyId } }: PageRequest,
  found: ImportRecord,
  forms: PreviewForms,
): Promise<PageAnswer> {
  const judgement = await findJudgement(pages.kind, companyId, found.id);
  const path = importPath(pages, found.id);
  const body = (
    <>
      <PageHead title={found.fileName} note="This is a preview. Nothing is imported yet.">
        <ButtonLink href={formPath(pages)} quiet>
          Choose another file
        </ButtonLink>
      </PageHead>
      {judgement === null ? (
        <Panel title="Upload the file again">
          <p>This preview is from an earlier release.</p>
        </Panel>
      ) : (
        <Preview {...{ pages, found, judgement, path, forms }} />
      )}
    </>
  );
  return { title: `Preview of ${found.fileName}`, body };
}

interface PreviewProps {
  readonly pages: ImportPages;
  readonly found: ImportRecord;
  readonly judgement: Judgement;
  readonly path: string;
}

function Preview({ forms, ...props }: PreviewProps & { forms: PreviewForms }) {
  const { pages, found, judgement, path } = props;
  const { format } = pages.kind;
  const columns = format.columns.columnsOf(found.header, found.columns);
  const isClear = findColumnProblem(format, columns) === null;
  const { first, moved, repeated, rejected, rows } = judgement;
  return (
    <>
      {isClear && pages.figures(judgement)}
      <div class="columns">
        {isClear && <StartPanel {...props} state={forms.start ?? newForm()} />}
        <FileFormatPanel found={found} action={`${path}/format`} state={forms.format} />
      </div>
      <ColumnsPanel
        kind={pages.kind}
        found={found}
        action={`${path}/columns`}
        state={forms.columns}
      />
      <Panel title="Preview">
        {isClear ? pages.rows(first, found) : <UnreadRows rows={first} />}
        {isClear && <IgnoredColumns pages={pages} found={found} />}
      </Panel>
      {moved.length > 0 && pages.movedRows?.(moved)}
      {repeated.length > 0 && <RepeatedRecords pages={pages} records={repeated} />}
      {isClear && rejected.length > 0 && (
        <RejectedRows
          rows={rejected.map(row => ({ ...row, problem: row.errors.join(' ') }))}
          total={rows.rejected}
        />
      )}
    </>
  );
}

function StartPanel({ pages, found, judgement, path, state }: PreviewProps & { state: FormState }) {
  const { rowsTotal, decimalDoubt } = found;
  const { rejected } = judgement.rows;
  if (rejected === rowsTotal && decimalDoubt === null) {
    return (
      <Panel title="Nothing can be imported">
        <p>Every row has an error. Correct the file, then choose it again.</p>
      </Panel>
    );
  }
  const left = rejected === 0 ? '' : ' Rejected rows are left out, and you can download them.';
  return (
    <Panel title="Import">
      <Form action={`${path}/start`} state={state}>
        {pages.choices?.(judgement, found)}
        {decimalDoubt === null ? (
          <>
            <p class="hint">{`If you leave this page, nothing is imported.${left}`}</p>
            <Button>{`Import ${formatCount(rowsTotal - rejected, 'row')}`}</Button>
          </>
        ) : (
          <p class="hint">
            {`“${decimalDoubt}” could mean two numbers. ` +
              'Choose the decimal separator before you import.'}
          </p>
        )}
      </Form>
    </Panel>
  );
}
