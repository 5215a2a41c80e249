import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Addresses } from './addresses.ts';
import { OPERATOR } from './backend-environment.ts';
import { seededOrganization, seedSites } from './seed/seed-sites.ts';
import { serviceTokenOf } from './sign-in-as.ts';

/** Sites that are registered at once. */
const AT_ONCE = 16;

/**
 * Claims the organization and registers the seeded sites through the public API, once for a data folder: what somebody removes later stays
 * removed, and an interrupted first start continues.
 */
export async function prepareService(addresses: Addresses, dataDir: string, fleet = 0): Promise<void> {
  const marker = join(dataDir, 'seeded');
  if (existsSync(marker)) return;
  const token = await serviceTokenOf(OPERATOR, addresses);
  const { org, body } = seededOrganization;
  await create(`${addresses.backend}/config/${org}.json`, body, token);
  const sites = seedSites(addresses, fleet).values();
  const createNext = async (): Promise<void> => {
    for (const { org: owner, site, body: config } of sites)
      await create(`${addresses.backend}/config/${owner}/sites/${site}.json`, config, token);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, createNext));
  await writeFile(marker, '');
}

async function create(address: string, body: unknown, token: string): Promise<void> {
  const answer = await fetch(address, {
    method: 'PUT',
    headers: { 'x-auth-token': token, 'content-type': 'application/json', 'if-none-match': '*' },
    body: JSON.stringify(body),
  });
  await answer.body?.cancel();
  const isThereAlready = answer.status === 412;
  if (!answer.ok && !isThereAlready) throw new Error(`The service refuses ${address}: ${answer.headers.get('x-error') ?? answer.status}`);
}
