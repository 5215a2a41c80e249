import { newSigningKeys, readSigningKeys } from '../sessions/signing-keys.ts';
import type { SigningKeys } from '../sessions/signing-keys.ts';
import { openKeyFile } from './key-file.ts';

/** The keys that sign tokens. */
export function openSigningKeys(file: string): Promise<SigningKeys> {
  return openKeyFile({ file, purpose: 'signing key', make: newSigningKeys, read: readSigningKeys });
}
