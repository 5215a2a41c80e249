import { etagOf } from '@repoless/service/domain/documents.ts';
import type { SiteWrite, VersionWrite } from '@repoless/service/domain/ports.ts';
import type { AuditEntry } from '@repoless/service/history/audit/chain.ts';
import { siteIndexKeys } from '@repoless/service/sites/aggregate-site.ts';
import { completeSite } from '@repoless/service/sites/complete-site.ts';
import { CODE_HOST } from './place.ts';
import { ADMIN, ORG, siteInput } from './site-input.ts';

/** What one acknowledged first write of a site leaves in the store. */
export interface FirstWrite {
  readonly site: SiteWrite;
  readonly version: VersionWrite;
  readonly audit: AuditEntry;
}

/** Makes it without a backend, by the rules of the domain. */
export function firstWrite(site: string, time: Date, repo?: string): FirstWrite {
  const now = time.toISOString();
  const config = completeSite({ org: ORG, site }, siteInput(site, 'first', repo), { created: now, now }, { codeHost: CODE_HOST });
  const named = { org: ORG, site };
  return {
    site: { ...named, config, etag: etagOf(config), version: 1, ...siteIndexKeys(config) },
    version: { subject: { kind: 'site', ...named }, version: 1, created: time, user: ADMIN, data: config },
    audit: { ...named, time, user: ADMIN, action: 'seed', requestId: 'seed', to: 1 },
  };
}
