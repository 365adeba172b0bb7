// A form with a file (multipart/form-data), read into memory up to its mount's limit. Read after it is known who sends it.
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { Context } from 'koa';
import { Problem } from '../../platform/errors.js';
import { refuseNul } from './form.js';
import type { UploadedFile } from './page.js';

/** A form with a file has a handful of short fields. */
const LIMITS = {
  fields: 20,
  fieldNameSize: 100,
  fieldSize: 10_000,
  files: 1,
  parts: 21,
  headerPairs: 20,
};
/** Read beyond the file's limit: the other fields, and the bounds between them. */
const REST_BYTES = 64 * 1024;

/**
 * Leaves the fields in ctx.state.form and the file, where one was chosen, in ctx.state.file. A file beyond the limit is cut
 * off. Throws Problem `unsupported_media_type`, `payload_too_large` where far more is announced, or `invalid_parameter`.
 */
export async function readUpload(ctx: Context, limitBytes: number): Promise<void> {
  if (
    !/^multipart\/form-data\s*;.*boundary=/iu.test(ctx.get('Content-Type')) ||
    ctx.get('Content-Encoding') !== ''
  ) {
    throw new Problem('unsupported_media_type', 'Send the form as multipart/form-data.');
  }
  if (Number(ctx.get('Content-Length')) > 2 * limitBytes + REST_BYTES) {
    throw new Problem(
      'payload_too_large',
      `The file is larger than ${limitBytes / 1024 / 1024} MB.`,
    );
  }
  const form = new URLSearchParams();
  ctx.state.form = form;
  ctx.state.file = await readParts(ctx, form, limitBytes);
  refuseNul(form);
}

function readParts(
  ctx: Context,
  form: URLSearchParams,
  limitBytes: number,
): Promise<UploadedFile | null> {
  return new Promise((resolve, reject) => {
    const refuse = () => {
      ctx.req.unpipe(busboy);
      reject(new Problem('invalid_parameter', 'The form could not be read to its end.'));
    };
    let file: UploadedFile | null = null;
    const busboy = new Busboy({
      headers: ctx.req.headers as BusboyHeaders,
      limits: { ...LIMITS, fileSize: limitBytes },
    });
    busboy.on('field', (name, value) => form.append(name, value));
    busboy.on('file', (_field, stream, name) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', refuse);
      stream.on('end', () => {
        const bytes = Buffer.concat(chunks);
        // A browser sends the field without a name where nothing was chosen.
        if (name || bytes.length > 0) file = { name: name ?? '', bytes, isCut: stream.truncated };
      });
    });
    busboy.on('error', refuse);
    busboy.on('finish', () => resolve(file));
    ctx.req.on('aborted', refuse).on('error', refuse).pipe(busboy);
  });
}
