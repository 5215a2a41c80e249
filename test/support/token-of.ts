import { openSigningKeys } from '@repoless/service/db/key-files.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { createTokens } from '@repoless/service/sessions/tokens.ts';
import { join } from 'node:path';
import { OPERATOR } from './backend.ts';
import { temporaryDirectory } from './child-backend.ts';

/** A token of the operator for a service that keeps its keys in a folder, and calls itself `issuer`. */
export async function tokenOf(data: string, issuer: string): Promise<string> {
  const keys = await openSigningKeys(join(data, 'signing-keys.json'));
  // Nothing of a token is stored, so that any store will do.
  const place = await temporaryDirectory();
  const store = await openStore({ dataDir: place.path });
  const { token } = await createTokens({ keys, issuer, lifetime: 600, store, now: () => new Date() }).issue({ email: OPERATOR });
  await store.close();
  await place.remove();
  return token;
}
