// Files to import as they are read, without a company.
import {
  type FileFormat,
  type ReadOptions,
  readImportedFile,
} from '../../src/imports/file/read-file.js';
import { Problem } from '../../src/platform/errors.js';

const OPTIONS = {
  ...{ decimalMark: null, encoding: null, separator: null, chosen: null, currency: 'USD' },
  allowNegativeStock: false,
};
export type AnyFormat = FileFormat<string, ReadOptions & { allowNegativeStock: boolean }>;

/** The entries of a file, or the errors of its refused rows. */
export async function readFileRows(
  format: AnyFormat,
  content: string | Buffer,
  options: Partial<ReadOptions> = {},
) {
  const file = await readImportedFile(format, Buffer.from(content as string), {
    ...OPTIONS,
    ...options,
  });
  const rows = file.chunks.flatMap(
    chunk =>
      JSON.parse(chunk) as { line: number; entry?: Record<string, unknown>; errors?: string[] }[],
  );
  return { ...file, rows };
}

/** The message of a file's refusal. */
export const fileRefusal = async (format: AnyFormat, content: string | Buffer, options = {}) => {
  try {
    await readFileRows(format, content, options);
    return 'was read';
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
};
