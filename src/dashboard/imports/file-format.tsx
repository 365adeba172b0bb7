// The form that says how a file is written: its encoding, separator and decimals.
import { ENCODING_NAMES, ENCODINGS, type Encoding } from '../../imports/file/encoding.js';
import type { ReadOptions } from '../../imports/file/read-file.js';
import { SEPARATORS } from '../../imports/file/separator.js';
import type { FileReading } from '../../imports/file/table.js';
import type { ImportRecord } from '../../imports/queries.js';
import type { FormFields } from '../../platform/http/input/form-fields.js';
import { chosenDecimalMark, DecimalSeparator } from '../kit/forms/decimal-separator.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { Panel } from '../kit/ui/components.js';
import { Button, Form, Select } from '../kit/ui/fields.js';

const SEPARATOR_NAMES: Readonly<Record<string, string>> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Vertical bar',
};
/** A form's value has no white space at its ends. */
const TAB = 'tab';

/**
 * How the form wants a file to be read. Columns and decimals are detected again in a file that is
 * divided or decoded in another way.
 */
export function chosenFormat(
  form: FormFields,
  { reading, decimalMark }: ImportRecord,
): Partial<ReadOptions> {
  const chosen = chosenDecimalMark(form);
  const encoding = ENCODINGS.find(name => name === form.get('encoding')) ?? null;
  const separator = chosenSeparator(form, reading);
  const isRead = (value: string | null, key: 'encoding' | 'separator') =>
    value === null || value === reading?.[key];
  if (isRead(encoding, 'encoding') && isRead(separator, 'separator'))
    return { decimalMark: chosen };
  const isSameMark = chosen === decimalMark;
  return {
    decimalMark: isSameMark ? null : chosen,
    chosen: null,
    ...(encoding && { encoding }),
    ...(separator && { separator }),
  };
}

function chosenSeparator(form: FormFields, reading: FileReading | null): string | null {
  const text = form.get('separator') === TAB ? '\t' : (form.get('separator') ?? '');
  return separatorsOf(reading).includes(text) ? text : null;
}

/** The usual separators, and the one that the file names. */
function separatorsOf(reading: FileReading | null): string[] {
  const usual: readonly string[] = [...SEPARATORS].reverse();
  const own = reading?.separator ?? null;
  return own === null || usual.includes(own) ? [...usual] : [...usual, own];
}

interface FormatProps {
  readonly found: ImportRecord;
  readonly action: string;
  /** The state of a refused form. */
  readonly state: FormState | undefined;
}

export function FileFormatPanel({ found, action, state }: FormatProps) {
  const { reading, decimalMark, decimalDoubt } = found;
  const separator = reading?.separator ?? '';
  const current = newForm({
    encoding: reading?.encoding ?? '',
    separator: separator === '\t' ? TAB : separator,
    decimals: decimalMark ?? '',
  });
  const question =
    decimalDoubt === null
      ? 'Detected from the file. Change it if the numbers below are wrong.'
      : `The file is not clear, for example “${decimalDoubt}”. How does it write decimals?`;
  return (
    <Panel title="File format">
      <Form action={action} state={state ?? current} label="File format">
        {reading?.encoding && <EncodingField sample={reading.sample} />}
        {reading?.separator && (
          <Select
            name="separator"
            label="Values are separated by"
            options={separatorsOf(reading).map(mark => ({
              value: mark === '\t' ? TAB : mark,
              label: SEPARATOR_NAMES[mark] ?? mark,
            }))}
          />
        )}
        <DecimalSeparator hint={question} />
        <Button quiet={decimalDoubt === null}>
          {decimalDoubt === null ? 'Update preview' : 'Use this separator'}
        </Button>
      </Form>
    </Panel>
  );
}

function EncodingField({ sample }: Pick<FileReading, 'sample'>) {
  const hint = sample === null ? {} : { hint: `Change it if this is wrong: “${sample}”` };
  return (
    <Select
      name="encoding"
      label="Encoding"
      options={ENCODINGS.map((value: Encoding) => ({ value, label: ENCODING_NAMES[value] }))}
      {...hint}
    />
  );
}
