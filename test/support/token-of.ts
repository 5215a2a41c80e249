import { openSigningKeys } from '@repoless/service/db/key-files.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { createTokens } from '@repoless/service/sessions/tokens.ts';
import { join } from 'node:path';
import { OPERATOR } from './backend.ts';
import { temporaryDirectory } from './child-backend.ts';

/** An operator's token for the service with its keys in the folder `data` and the address `issuer`. */
export async function tokenOf(data: string, issuer: string): Promise<string> {
  const keys = await openSigningKeys(join(data, 'signing-keys.json'));
  // Signing stores nothing, so any store will do.
  const directory = await temporaryDirectory();
  const store = await openStore({ dataDir: directory.path });
  const { token } = await createTokens({ keys, issuer, lifetime: 86_400, store, now: () => new Date() }).issue({ email: OPERATOR });
  await store.close();
  await directory.remove();
  return token;
}
