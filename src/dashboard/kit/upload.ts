// Forms with a file (multipart/form-data), read into memory up to the route's limit.
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { Context } from 'koa';
import { Problem } from '../../platform/errors.js';
import { refuseNul } from './form.js';
import type { UploadedFile } from './page.js';

/** A form with a file has few other fields, all short. */
const LIMITS = {
  fields: 20,
  fieldNameSize: 100,
  fieldSize: 10_000,
  files: 1,
  parts: 21,
  headerPairs: 20,
};
/** Allowed in addition to the file, for the other fields and the boundaries. */
const OVERHEAD_BYTES = 64 * 1024;

/**
 * Puts the fields into ctx.state.form and the file, or null, into ctx.state.file. Cuts a file at
 * the limit. Throws Problem `unsupported_media_type`, `payload_too_large` if Content-Length is more
 * than twice the limit, or `invalid_parameter`.
 */
export async function readUpload(ctx: Context, limitBytes: number): Promise<void> {
  if (
    !/^multipart\/form-data\s*;.*boundary=/iu.test(ctx.get('Content-Type')) ||
    ctx.get('Content-Encoding') !== ''
  ) {
    throw new Problem('unsupported_media_type', 'Send the form as multipart/form-data.');
  }
  if (Number(ctx.get('Content-Length')) > 2 * limitBytes + OVERHEAD_BYTES) {
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
      reject(new Problem('invalid_parameter', 'The form ended early or is malformed.'));
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
        // A browser sends an empty, unnamed file if none was chosen.
        if (name || bytes.length > 0) file = { name: name ?? '', bytes, isCut: stream.truncated };
      });
    });
    busboy.on('error', refuse);
    busboy.on('finish', () => resolve(file));
    ctx.req.on('aborted', refuse).on('error', refuse).pipe(busboy);
  });
}
