import type { AuthoringPort } from '#extension/setup/ports.ts';
import type { Setting } from '#extension/setup/settings.ts';
import type { SiteRow } from '#extension/setup/sites/rows.ts';

/** Stands in for an authoring system that cannot be read: its settings are what the file says they are. Writes nothing. */
export function declaredAuthoring(author: string, organization: string, row: SiteRow): AuthoringPort {
  const declared = (value: string | undefined): Setting =>
    value === undefined ? { source: { kind: 'missing' } } : { value, source: { kind: 'derived' } };
  const refused = { state: 'failed', failure: { kind: 'refused', status: 405 } } as const;
  return {
    settings: async (page) => ({
      state: 'known',
      value: {
        author,
        page,
        siteRoot: row.contentRoot,
        projectType: declared(undefined),
        organization: declared(organization),
        siteName: declared(row.siteName),
        configurationPage: declared(row.configurationPage),
        technicalAccount: declared(row.technicalAccount === '' ? undefined : row.technicalAccount),
        cloudConfiguration: declared(row.cloudConfiguration),
        deliveryAddress: declared(undefined),
      },
    }),
    page: async (path) => ({ state: 'known', value: { path } }),
    content: async (path) => ({ state: 'known', value: { path, title: path, kind: 'page', hasChildren: true } }),
    children: async () => refused,
    edgeConfiguration: async () => refused,
    lock: async () => refused,
    mayWrite: async () => refused,
    readyToWrite: async () => refused,
    send: async () => refused,
    holds: async () => refused,
  };
}
