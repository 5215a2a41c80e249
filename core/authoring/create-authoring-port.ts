import { EDGE_CONFIGURATION, EdgeConfiguration, PageContent } from '@repoless/contract/authoring.ts';
import type { AuthoringProxy } from '../api/authoring-proxy.ts';
import type { Call } from '../plan/plan.ts';
import type { AuthoringPort } from '../plan/ports.ts';
import type { Known } from '../situation/situation.ts';
import { readSling } from './read-sling.ts';
import { readChildren, readContentPage } from './read-children.ts';
import { readSettings } from './read-settings.ts';
import { readLock, readPermission } from './read-write-access.ts';
import { createSendForm, readCsrfToken } from './send-form.ts';

/** The authoring system as setup needs it, through the authoring proxy. */
export function createAuthoringPort(proxy: AuthoringProxy): AuthoringPort {
  return {
    settings: (page, info, isRoot) => readSettings(proxy, page, info, isRoot),
    page: async (path) => {
      const content = await readSling(proxy, `${path}/jcr:content.json`, PageContent);
      if (content.state !== 'known') return content;
      const resourceType = content.value['sling:resourceType'];
      return { state: 'known', value: { path, ...(resourceType === undefined ? {} : { resourceType }) } };
    },
    children: (path, most) => readChildren(proxy, path, most),
    content: (path) => readContentPage(proxy, { path, kind: 'page', hasChildren: true }),
    edgeConfiguration: (conf) => readSling(proxy, `${conf}/${EDGE_CONFIGURATION}/jcr:content.json`, EdgeConfiguration),
    lock: (path) => readLock(proxy, path),
    mayWrite: (path) => readPermission(proxy, path),
    readyToWrite: () => readCsrfToken(proxy),
    send: createSendForm(proxy),
    holds: (call) => written(proxy, call),
  };
}

/** Loaded with the first write: the first view has no use for it. One that does not come is a look that failed in passing. */
async function written(proxy: AuthoringProxy, call: Call): Promise<Known<boolean>> {
  try {
    const { readWritten } = await import('./read-written.ts');
    return await readWritten(proxy, call);
  } catch {
    return { state: 'failed', failure: { kind: 'unreachable', system: 'authoring' } };
  }
}
