import { newSecretKeys, readSecretBox } from '../secrets/secret-box.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { openKeyFile } from './key-file.ts';

/** The keys that seal secrets. A new one is put first in the file; what older ones sealed is sealed again at the next start. */
export function openSecretBox(file: string): Promise<SecretBox> {
  return openKeyFile({ file, purpose: 'secret key', make: async () => newSecretKeys(), read: async (text) => readSecretBox(text) });
}
