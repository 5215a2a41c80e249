import { etagOf } from '@repoless/service/domain/documents.ts';
import type { StoredOrg } from '@repoless/service/domain/ports.ts';
import { ADMIN, ORG } from './site-input.ts';

/** The organization of the benchmarks as it is stored. */
export function benchOrg(time: Date): StoredOrg {
  const now = time.toISOString();
  const config = {
    version: 1 as const,
    created: now,
    lastModified: now,
    name: ORG,
    users: [{ id: 'admin', email: ADMIN, roles: ['admin' as const] }],
  };
  return { org: ORG, config, etag: etagOf(config), version: 1 };
}
