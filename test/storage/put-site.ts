import type { Store } from '@repoless/service/domain/ports.ts';
import type { SiteWrite } from '@repoless/service/sites/ports.ts';

/** Stores a site with its version and audit row, as the operations do; removes versions up to `forget`. */
export function putSite(store: Store, site: SiteWrite, removedUpTo?: number): Promise<void> {
  return store.write(async (writes) => {
    const { org, version, config } = site;
    const time = new Date();
    await writes.site(org, site.site);
    await writes.putSite(site);
    await writes.addVersion({
      subject: { kind: 'site', org, site: site.site },
      version,
      created: time,
      user: 'ada@example.com',
      data: config,
      ...(removedUpTo === undefined ? {} : { removedUpTo }),
    });
    await writes.addAudit({ org, site: site.site, time, user: 'ada@example.com', action: 'put-site', requestId: 'r1', to: version });
  });
}
