// The preview of an import: the changes it would make, its rows as they were read, and its start.
import { rereadPreview } from '../../imports/preview.js';
import type { ImportRecord } from '../../imports/queries.js';
import { startImport } from '../../imports/start.js';
import type { Permission } from '../../users/roles.js';
import { chosenDecimalMark, DecimalSeparator } from '../kit/forms/decimal-separator.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { directForm, type FormRequest } from '../kit/forms/plain-form.js';
import type { PageAnswer, PageRequest, PageRoute } from '../kit/page.js';
import { ButtonLink, PageHead, Panel } from '../kit/ui/components.js';
import { Button, Form } from '../kit/ui/fields.js';
import { formPath, getImport, type ImportPages, importPath, type PreviewParts } from './pages.js';
import { IgnoredColumns, RejectedRows } from './rows.js';

/** The states of refused forms: the one that starts the import, or chooses its columns. */
interface PreviewForms {
  readonly start?: FormState;
  readonly columns?: FormState;
}

/** Starts the import. Sent again, it leads to the same import. */
export function startForm(pages: ImportPages): PageRoute[] {
  return previewForm(pages, 'start', 'start', ({ session, form, loaded: { id } }) =>
    startImport(pages.kind, session.companyId, id, pages.startChoices?.(form) ?? {}),
  );
}

/** Reads the stored file again with another decimal separator. */
export function decimalsForm(pages: ImportPages): PageRoute[] {
  return previewForm(pages, 'decimals', 'start', ({ session, form, loaded }) => {
    const decimalMark = chosenDecimalMark(form) ?? '.';
    const options = { ...pages.readOptions?.(session, loaded), decimalMark };
    return rereadPreview(pages.kind, session.companyId, loaded.id, options);
  });
}

/** Changes a preview and leads back to it, or shows it with the refused form. */
export function previewForm<Found extends ImportRecord>(
  pages: ImportPages<Found>,
  name: string,
  shownIn: keyof PreviewForms,
  change: (request: FormRequest<Found>) => Promise<void>,
): PageRoute[] {
  return directForm<void, Permission, Found>({
    path: `${importPath(pages, ':id')}/${name}`,
    guard: pages.guard,
    load: request => getImport(pages, request),
    send: change,
    done: (_, { loaded }) => ({ to: importPath(pages, loaded.id) }),
    page: (state, request) => previewPage(pages, request, request.loaded, { [shownIn]: state }),
  });
}

/** The page of an import that is not started. */
export async function previewPage<Found extends ImportRecord>(
  pages: ImportPages<Found>,
  request: PageRequest,
  found: Found,
  forms: PreviewForms,
): Promise<PageAnswer> {
  const parts = await pages.preview(request, found, forms.columns);
  const { isClear, problems } = parts;
  const body = (
    <>
      <PageHead title={found.fileName} note="This is a preview. Nothing is imported yet.">
        <ButtonLink href={formPath(pages)} quiet>
          Choose another file
        </ButtonLink>
      </PageHead>
      {isClear && (
        <>
          {parts.figures}
          <div class="columns">
            <StartPanel
              {...{ found, parts }}
              path={importPath(pages, found.id)}
              state={forms.start ?? newForm()}
            />
            <Decimals found={found} path={importPath(pages, found.id)} />
          </div>
        </>
      )}
      {parts.columns}
      <Panel title="Preview">
        {parts.rows}
        {isClear && <IgnoredColumns pages={pages} found={found} />}
      </Panel>
      {parts.warnings}
      {isClear && problems.length > 0 && <RejectedRows rows={problems} total={parts.rejected} />}
    </>
  );
  return { title: `Preview of ${found.fileName}`, body };
}

interface PanelProps {
  readonly found: ImportRecord;
  readonly path: string;
}

function StartPanel({
  found: { rowsTotal, decimalDoubt },
  parts: { rejected, choices, submit },
  path,
  state,
}: PanelProps & { parts: PreviewParts; state: FormState }) {
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
        {choices}
        {decimalDoubt === null ? (
          <>
            <p class="hint">{`If you leave this page, nothing is imported.${left}`}</p>
            <Button>{submit}</Button>
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

function Decimals({ found: { decimalMark, decimalDoubt }, path }: PanelProps) {
  const question =
    decimalDoubt === null
      ? 'Detected from the file. Change it if the numbers below are wrong.'
      : `The file is not clear, for example “${decimalDoubt}”. How does it write decimals?`;
  return (
    <Panel title="Number format">
      <Form
        action={`${path}/decimals`}
        state={newForm({ decimals: decimalMark ?? '' })}
        label="Number format"
      >
        <DecimalSeparator hint={question} />
        <Button quiet={decimalDoubt === null}>
          {decimalDoubt === null ? 'Update preview' : 'Use this separator'}
        </Button>
      </Form>
    </Panel>
  );
}
