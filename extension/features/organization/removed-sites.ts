import { z } from 'zod';

/** A site that was removed from here: enough to bring it back as it was. */
export interface RemovedSite {
  readonly siteName: string;
  readonly author: string;
  readonly page?: string;
  readonly cloudConfiguration?: string;
  /** ISO 8601. */
  readonly at: string;
}

const Removed = z.array(
  z.object({
    siteName: z.string(),
    author: z.string(),
    page: z.string().optional(),
    cloudConfiguration: z.string().optional(),
    at: z.string(),
  }),
);

export interface RemovedSites {
  all(): RemovedSite[];
  add(site: RemovedSite): void;
  forget(siteName: string): void;
}

/** Stores what was removed in this browser. The service has the versions, but not the page's own configuration. */
export function removedSites(storage: Storage | undefined, service: string, organization: string): RemovedSites {
  const key = `repoless.removed ${service} ${organization}`;
  const all = (): RemovedSite[] => {
    const found = Removed.safeParse(parseJson(storage?.getItem(key)));
    if (!found.success) return [];
    return found.data.map(({ page, cloudConfiguration, ...rest }) => ({
      ...rest,
      ...(page === undefined ? {} : { page }),
      ...(cloudConfiguration === undefined ? {} : { cloudConfiguration }),
    }));
  };
  const write = (sites: readonly RemovedSite[]): void => {
    try {
      storage?.setItem(key, JSON.stringify(sites));
    } catch {
      // A full storage only costs the reminder; the service keeps every version.
    }
  };
  return {
    all,
    add: (site) => write([site, ...all().filter(({ siteName }) => siteName !== site.siteName)]),
    forget: (siteName) => write(all().filter((site) => site.siteName !== siteName)),
  };
}

function parseJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
