// MAIL_URL=log: writes e-mails to files in place of sending them, for development and tests.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../platform/process/log.js';
import type { DeliverMail } from './delivery.js';

export function deliverToFiles(directory: string, log: Log): DeliverMail {
  return async (id, _envelope, message) => {
    const path = join(directory, `${id}.eml`);
    await mkdir(directory, { recursive: true });
    await writeFile(`${path}.part`, message);
    await rename(`${path}.part`, path);
    log.info({ emailId: id }, `e-mail written to ${path}; set MAIL_URL to send e-mails`);
    return { type: 'sent', error: null };
  };
}
