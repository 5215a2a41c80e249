import type { SiteInput } from '@repoless/contract/site.ts';
import type { Setting, Situation } from '@repoless/core/situation/situation.ts';

const ROOT = '/content/summit';
const TIME = '2026-01-01T00:00:00.000Z';

/** A site root prepared in the authoring system, and unknown to the service. */
export function situation(more: Partial<Situation> = {}): Situation {
  return {
    target: { organization: 'wknd', siteName: 'summit' },
    info: {
      name: 'repoless',
      version: '1.0.0',
      protocol: 'https',
      previewDomain: 'preview.example.com',
      liveDomain: 'live.example.com',
      codeHost: 'https://github.com',
      repolessProjectType: '4',
      configurationTemplate: '/libs/core/franklin/templates/configuration',
      technicalAccountProperty: 'technicalAccountId',
      connector: 'franklin',
      features: ['dry-run', 'check-code'],
    },
    settings: {
      author: 'https://author-p1-e2.example.com',
      page: ROOT,
      siteRoot: ROOT,
      projectType: configured('1'),
      organization: configured('wknd'),
      siteName: configured('summit'),
      configurationPage: { value: `${ROOT}/configuration`, source: { kind: 'derived' } },
      technicalAccount: configured('id@techacct.example.com'),
      cloudConfiguration: { value: '/conf/summit', source: { kind: 'page', path: ROOT } },
      deliveryAddress: { source: { kind: 'derived' } },
    },
    profile: { state: 'known', value: { email: 'ada@example.com', iss: 'https://service', iat: 0, exp: 1, ttl: 3600 } },
    organization: { state: 'known', value: { name: 'wknd', users: [] } },
    site: { state: 'missing' },
    configurationPage: { state: 'missing' },
    files: [],
    ...more,
  };
}

/** The same, with this configuration of the site in the service. */
export function registered(config: SiteInput): Situation {
  const stored = { ...config, created: TIME, lastModified: TIME, name: 'summit', version: 1 as const };
  return situation({ site: { state: 'known', value: { config: stored, own: stored, etag: '"1"', version: 3 } } });
}

function configured(value: string): Setting {
  return { value, source: { kind: 'configuration', path: '/conf/summit' } };
}
