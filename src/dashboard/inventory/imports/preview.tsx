// The preview of an import: the changes it would make, its rows as they were read, and its start.
import { findColumnProblem } from '../../../inventory/imports/columns.js';
import {
  findPreview,
  type ImportPreview,
  PROBLEM_ROWS,
} from '../../../inventory/imports/preview.js';
import type { StockImport } from '../../../inventory/imports/queries.js';
import { DecimalSeparator } from '../../kit/forms/decimal-separator.js';
import { type FormState, newForm } from '../../kit/forms/form-state.js';
import type { PageAnswer, PageRequest } from '../../kit/page.js';
import { ButtonLink, PageHead, Panel } from '../../kit/ui/components.js';
import { Button, Checkbox, Form } from '../../kit/ui/fields.js';
import { formatQuantity } from '../../kit/ui/format.js';
import { Stat, Stats } from '../../kit/ui/stats.js';
import { ColumnsPanel } from './choose-columns.js';
import {
  FirstRows,
  IgnoredColumns,
  MovedRows,
  previewProblem,
  RejectedRows,
  RepeatedItems,
  UnreadRows,
} from './rows.js';

/** The states of submitted forms: the one that starts the import, or chooses its columns. */
export interface PreviewForms {
  readonly start?: FormState;
  readonly columns?: FormState;
}

/** The page of an import that is not started. */
export async function previewPage(
  { session: { companyId, allowNegativeStock } }: PageRequest,
  found: StockImport,
  forms: PreviewForms,
): Promise<PageAnswer> {
  const preview = await findPreview(companyId, found.id, allowNegativeStock);
  const { first, problems, moved, repeated } = preview;
  const isClear = findColumnProblem(found.header, found.columns) === null;
  const body = (
    <>
      <PageHead title={found.fileName} note="This is a preview. Nothing is imported yet.">
        <ButtonLink href="/inventory/import" quiet>
          Choose another file
        </ButtonLink>
      </PageHead>
      {isClear && (
        <>
          <Counts counts={preview.counts} />
          <div class="columns">
            <StartPanel found={found} preview={preview} state={forms.start ?? newForm()} />
            <Decimals found={found} />
          </div>
        </>
      )}
      <ColumnsPanel found={found} state={forms.columns} />
      <Panel title="Preview" class="import-rows">
        {isClear ? <FirstRows rows={first} found={found} /> : <UnreadRows rows={first} />}
        {isClear && <IgnoredColumns found={found} />}
      </Panel>
      {moved.length > 0 && <MovedRows rows={moved} />}
      {repeated.length > 0 && <RepeatedItems items={repeated} />}
      {isClear && problems.length > 0 && (
        <RejectedRows note={`First ${PROBLEM_ROWS}`} rows={problems} problemOf={previewProblem} />
      )}
    </>
  );
  return { title: `Preview of ${found.fileName}`, body };
}

function Counts({ counts }: Pick<ImportPreview, 'counts'>) {
  const { new: created = 0, changed = 0, moved = 0 } = counts;
  const rejected = rejectedRows(counts);
  return (
    <Stats>
      <Stat label="New items">{formatQuantity(created)}</Stat>
      <Stat label="Changed items">{formatQuantity(changed)}</Stat>
      <Stat label="Rejected rows">{formatQuantity(rejected)}</Stat>
      {moved > 0 && <Stat label="Stock changed since export">{formatQuantity(moved)}</Stat>}
    </Stats>
  );
}

function rejectedRows({ invalid = 0, unknown = 0, short = 0 }: ImportPreview['counts']): number {
  return invalid + unknown + short;
}

interface StartProps {
  readonly found: StockImport;
  readonly preview: ImportPreview;
  readonly state: FormState;
}

function StartPanel({ found, preview: { counts }, state }: StartProps) {
  const { id, rowsTotal, rowsFailed, decimalDoubt } = found;
  const rejected = rejectedRows(counts);
  const moved = counts.moved ?? 0;
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
      <Form action={`/inventory/imports/${id}/start`} state={state}>
        {moved > 0 && (
          <Checkbox
            name="ignoresExpected"
            label="Also import rows whose stock changed since the export"
            hint="Their counts replace what was sold or received meanwhile. Otherwise left out."
          />
        )}
        {rowsFailed === 0 && (
          <Checkbox
            name="allOrNothing"
            label="All or nothing"
            hint="Stop if any row has an error. Otherwise valid rows are imported."
          />
        )}
        {decimalDoubt === null ? (
          <>
            <p class="hint">{`If you leave this page, nothing is imported.${left}`}</p>
            <Button>Import</Button>
          </>
        ) : (
          <p class="hint">Choose the decimal separator before you import.</p>
        )}
      </Form>
    </Panel>
  );
}

function Decimals({ found: { id, decimalMark, decimalDoubt } }: { found: StockImport }) {
  const question =
    decimalDoubt === null
      ? 'Detected from the file. Change it if the numbers below are wrong.'
      : `The file is not clear, for example “${decimalDoubt}”. How does it write decimals?`;
  return (
    <Panel title="Number format">
      <Form
        action={`/inventory/imports/${id}/decimals`}
        state={newForm({ decimals: decimalMark })}
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
