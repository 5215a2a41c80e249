import { EDGE_CONFIGURATION, EdgeConfiguration, PageContent } from '#contract/authoring.ts';
import type { Relay } from '#extension/api/relay.ts';
import type { AuthoringPort } from '#extension/setup/ports.ts';
import { readSling } from './read-sling.ts';
import { readChildren, readContentPage } from './read-children.ts';
import { readSettings } from './read-settings.ts';
import { createSendForm } from './send-form.ts';

/** The authoring system as setup needs it, through the relay. */
export function createAuthoringPort(relay: Relay): AuthoringPort {
  return {
    settings: (page, info) => readSettings(relay, page, info),
    page: async (path) => {
      const content = await readSling(relay, `${path}/jcr:content.json`, PageContent);
      if (content.state !== 'known') return content;
      const resourceType = content.value['sling:resourceType'];
      return { state: 'known', value: { path, ...(resourceType === undefined ? {} : { resourceType }) } };
    },
    children: (path) => readChildren(relay, path),
    content: (path) => readContentPage(relay, { path, kind: 'page', hasChildren: true }),
    edgeConfiguration: (conf) => readSling(relay, `${conf}/${EDGE_CONFIGURATION}/jcr:content.json`, EdgeConfiguration),
    send: createSendForm(relay),
  };
}
