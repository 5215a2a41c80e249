import { openSigningKeys } from '@repoless/service/db/key-files.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { createTokens } from '@repoless/service/sessions/tokens.ts';
import type { Bench } from '../bench.ts';
import { benchOrg } from './bench-org.ts';
import { newPlace, type Place, PUBLIC_ADDRESS, signingKeyFile } from './place.ts';
import { ADMIN, siteName } from './site-input.ts';
import { firstWrite } from './stored-site.ts';

const TOGETHER = 1000;

/** Makes a place that holds so many sites, and a token of their administrator. All share one repository, where `repositoryOf` names no other. */
export async function storeSites(
  bench: Pick<Bench, 'workspace' | 'tell'>,
  sites: number,
  databaseUrl?: string,
  repositoryOf: (index: number) => string | undefined = () => undefined,
): Promise<{ place: Place; token: string }> {
  bench.tell(`storing ${sites} sites`);
  const place = await newPlace(bench.workspace, databaseUrl);
  const { dataDirectory: dataDir } = place;
  const store = await openStore({ dataDir, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
  try {
    const now = new Date();
    await store.write((writes) => writes.putOrg(benchOrg(now)));
    for (let first = 0; first < sites; first += TOGETHER) {
      const last = Math.min(first + TOGETHER, sites);
      await store.write(async (writes) => {
        for (let index = first; index < last; index++) {
          const { site, version, audit } = firstWrite(siteName(index), now, repositoryOf(index));
          await writes.putSite(site);
          await writes.addVersion(version);
          await writes.addAudit(audit);
        }
      });
    }
    const keys = await openSigningKeys(signingKeyFile(place));
    const tokens = createTokens({ keys, issuer: PUBLIC_ADDRESS, lifetime: 86_400, store, now: () => new Date() });
    const { token } = await tokens.issue({ email: ADMIN });
    return { place, token };
  } finally {
    await store.close();
  }
}
