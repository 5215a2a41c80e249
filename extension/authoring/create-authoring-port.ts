import { CsrfToken, EDGE_CONFIGURATION, EdgeConfiguration, PageContent } from '#contract/authoring.ts';
import type { Relay } from '#extension/api/relay.ts';
import type { Call } from '#extension/setup/plan.ts';
import type { AuthoringPort } from '#extension/setup/ports.ts';
import type { Known } from '#extension/setup/situation.ts';
import { failureOf, readSling } from './read-sling.ts';
import { readChildren, readContentPage } from './read-children.ts';
import { readSettings } from './read-settings.ts';

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
    send: (call) => send(relay, call),
  };
}

/** A Sling POST with a fresh CSRF token, sent as a field because a browser may not send its header across origins. */
async function send(relay: Relay, call: Call): Promise<Known<unknown>> {
  const csrf = await readSling(relay, '/libs/granite/csrf/token.json', CsrfToken);
  if (csrf.state !== 'known') return csrf;
  const fields = call.body?.type === 'form' ? call.body.fields : [];
  const path = call.address.slice(new URL(call.address).origin.length);
  const answer = await relay.write(path, [['_charset_', 'utf-8'], ...fields, [':cq_csrf_token', csrf.value.token]]);
  if (!answer.ok) return { state: 'failed', failure: answer.failure };
  const { status } = answer.received;
  if (status >= 200 && status <= 299) return { state: 'known', value: status };
  const removal = fields.some(([name, value]) => name === ':operation' && value === 'delete');
  return removal && status === 404 ? { state: 'known', value: status } : { state: 'failed', failure: failureOf(answer.received) };
}
