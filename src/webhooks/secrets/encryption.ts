// Encryption of secrets at rest: AES-256-GCM with a random IV. A text that was copied to another
// row does not decrypt there, because the row's id is authenticated with it.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Keys of 32 bytes, newest first. */
export type EncryptionKeys = readonly Buffer[];

/** The IV, the encrypted bytes and the tag. Uses the newest key. */
export function encrypt(keys: EncryptionKeys, context: string, bytes: Buffer): Buffer {
  const [newest] = keys;
  if (!newest) throw new Error('there is no encryption key');
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, newest, iv).setAAD(Buffer.from(context));
  return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** The bytes; null if they were encrypted with none of the keys or for another context. */
export function decrypt(keys: EncryptionKeys, context: string, encrypted: Buffer): Buffer | null {
  for (const key of keys) {
    const bytes = decryptWith(key, context, encrypted);
    if (bytes) return bytes;
  }
  return null;
}

function decryptWith(key: Buffer, context: string, encrypted: Buffer): Buffer | null {
  if (encrypted.length < IV_BYTES + TAG_BYTES) return null;
  const iv = encrypted.subarray(0, IV_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(context))
      .setAuthTag(encrypted.subarray(-TAG_BYTES));
    const bytes = decipher.update(encrypted.subarray(IV_BYTES, -TAG_BYTES));
    return Buffer.concat([bytes, decipher.final()]);
  } catch {
    return null;
  }
}
