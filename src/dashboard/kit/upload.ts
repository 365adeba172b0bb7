// Forms with a file (multipart/form-data), read into memory up to the route's limit.

import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { Context } from 'koa';
import { NoTurn, Turns } from '../../platform/async/turns.js';
import { Problem, unavailable } from '../../platform/errors.js';
import { FormFields } from '../../platform/http/input/form-fields.js';
import { refuseNul } from './forms/form.js';
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
/** Bytes allowed in addition to the file, for the other fields and the boundaries. */
const OVERHEAD_BYTES = 64 * 1024;
/**
 * A file is in memory from its first byte until it is answered: 5 MB each. Waiting requests cost a
 * connection. The wait ends well within the server's time for a request.
 */
const TURNS = { running: 8, waitingPerKey: 4, waiting: 40, waitMs: 15_000 };
const RETRY_AFTER_SECONDS = '10';

/** The uploads of one process: `work` reads and answers one, with one per company at a time. */
export class Uploads {
  readonly #turns = new Turns(TURNS);

  /** Throws Problem `rate_limit_exceeded` or `service_unavailable` if too many are in progress. */
  async run<Result>(companyId: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#turns.run(companyId, work);
    } catch (error) {
      if (!(error instanceof NoTurn)) throw error;
      throw error.isOwn ? tooManyOwn() : unavailable(MANY_UPLOADS);
    }
  }
}
const MANY_UPLOADS = 'Many files are being uploaded. Upload this file again in a moment.';

function tooManyOwn(): Problem {
  return new Problem(
    'rate_limit_exceeded',
    'Several files of your company are being uploaded already. ' +
      'Wait until they are accepted, then upload this file again.',
    { headers: { 'Retry-After': RETRY_AFTER_SECONDS } },
  );
}

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
  const form = new FormFields();
  ctx.state.form = form;
  ctx.state.file = await readParts(ctx, form, limitBytes);
  refuseNul(form);
}

/** Throws Problem `unsupported_media_type` for a boundary that the parser does not accept. */
function openParser(ctx: Context, fileSize: number): InstanceType<typeof Busboy> {
  try {
    const headers = ctx.req.headers as BusboyHeaders;
    return new Busboy({ headers, limits: { ...LIMITS, fileSize } });
  } catch {
    throw new Problem('unsupported_media_type', 'The form has no valid multipart boundary.');
  }
}

function readParts(
  ctx: Context,
  form: FormFields,
  limitBytes: number,
): Promise<UploadedFile | null> {
  return new Promise((resolve, reject) => {
    const refuse = () => {
      ctx.req.unpipe(busboy);
      reject(new Problem('invalid_parameter', 'The form ended early or is malformed.'));
    };
    let file: UploadedFile | null = null;
    const busboy = openParser(ctx, limitBytes);
    // A client may have disconnected while it waited for its turn. No event would follow.
    if (ctx.req.destroyed) return refuse();
    busboy.on('field', (name, value) => {
      // The parser also reports parts without a name, although its types say otherwise.
      if (name) form.append(name, value);
    });
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
