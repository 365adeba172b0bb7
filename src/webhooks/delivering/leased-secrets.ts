// The secrets of a turn, read again before each attempt if the lease still holds. A change of the
// endpoint ends the lease, so it counts for all attempts that start after its answer.
import type { Lease } from '../../platform/leases/leases.js';
import { describeError } from '../../platform/postgres-errors.js';
import type { Log } from '../../platform/process/log.js';
import { readSecrets } from '../endpoints/secret-rows.js';
import type { EncryptionKeys } from '../secrets/encryption.js';

export class LeasedSecrets {
  /** Newest first. */
  secrets: readonly Buffer[];
  /** Aborts when the lease is lost, no secret is valid, or the process stops. */
  readonly signal: AbortSignal;
  readonly #lease: Lease;
  readonly #keys: EncryptionKeys;
  readonly #log: Log;
  readonly #ended = new AbortController();

  constructor(
    lease: Lease,
    secrets: readonly Buffer[],
    { keys, log, stop }: { keys: EncryptionKeys; log: Log; stop: AbortSignal },
  ) {
    this.#lease = lease;
    this.secrets = secrets;
    this.#keys = keys;
    this.#log = log;
    this.signal = AbortSignal.any([stop, this.#ended.signal]);
  }

  async refresh(): Promise<void> {
    const { companyId, id, token } = this.#lease;
    try {
      this.secrets = await readSecrets(companyId, id, this.#keys, token);
      if (this.secrets.length === 0) this.#ended.abort();
    } catch (error) {
      // The turn goes on for as long as its lease can be renewed.
      const failed = { companyId, endpointId: id, err: describeError(error) };
      this.#log.warn(failed, 'webhook secrets not read again');
    }
  }
}
