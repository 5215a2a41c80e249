import { z } from 'zod';
import { EDGE_CONFIGURATION } from '@repoless/contract/authoring.ts';
import { VersionList } from '@repoless/contract/history.ts';
import { authoringTokenOf, serviceTokenOf } from '@repoless/sandbox/sign-in-as.ts';
import { ask } from '../support/ask.ts';
import { IS_HOSTED } from '../support/on-both.ts';
import { type Constellation, startConstellation } from '../support/constellation.ts';
import type { KeptOptions, SharedConstellation } from '../support/shared-constellation.ts';

export const ADA = 'ada.admin@example.com';

/** The complete sandbox, and an administrator's access to it without a browser. */
export interface World extends Constellation {
  /** The authoring system's content below a path. */
  content(path: string): Promise<unknown>;
  /** Posts a form to the authoring system, as its own dialogs do. */
  post(path: string, fields: Readonly<Record<string, string>>): Promise<void>;
  /** The project type recorded in the authoring system. */
  projectType(conf: string): Promise<string>;
  /** Creates a site root that is not set up: `/content/<name>` with `/conf/<name>`. Returns its path. */
  addSite(name: string, settings?: SiteSettings): Promise<string>;
  /** A call of the service as an administrator. Throws if it is refused. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  /** A GET request to the service, as an administrator. */
  stored(path: string): Promise<{ status: number; body: unknown }>;
  /** The stored versions of a site of `wknd`, newest first. */
  versions(site: string): Promise<number[]>;
  /** A host's answer to a visitor: JSON or else text; the status if it is an error. */
  served(address: string): Promise<unknown>;
  /** Ends a token of the service, as signing out elsewhere does. */
  revoke(token: string): Promise<void>;
  fault(stand: Stand, fault: Fault): Promise<void>;
}

interface SiteSettings {
  readonly title?: string;
  readonly organization?: string;
  readonly siteName?: string;
  /** One of the console's other authoring systems. */
  readonly environment?: string;
}

/** A stand-in with simulated faults. */
export type Stand = 'authoring-system' | 'code-host' | 'identity-provider' | 'vendor-host';

export interface Fault {
  readonly mode: 'none' | 'down' | 'unavailable' | 'slow' | 'forbidden' | 'unauthorized' | 'limited' | 'alternatives';
  readonly path?: string;
  readonly times?: number;
  readonly delay?: number;
}

/** Starts a world in the worker's constellation, or else a new one. Options override the defaults, such as the service under test. */
export async function startWorld({ kept, ...chosen }: KeptOptions & { readonly kept?: SharedConstellation } = {}): Promise<World> {
  const options = { hosted: IS_HOSTED, ...chosen };
  const constellation = kept === undefined ? await startConstellation(options) : await kept.take(options);
  const { addresses } = constellation.sandbox;
  const authorAt = (environment: string) => `${addresses.console}/author/${environment}`;
  const author = authorAt(HOME);
  const bearer = { authorization: `Bearer ${await authoringTokenOf(ADA, addresses)}` };
  const read = async (path: string): Promise<unknown> => (await fetch(`${author}${path}`, { headers: bearer })).json();
  const post = async (path: string, fields: Readonly<Record<string, string>>, environment = HOME): Promise<void> => {
    const at = authorAt(environment);
    const { token } = Csrf.parse(await (await fetch(`${at}/libs/granite/csrf/token.json`, { headers: bearer })).json());
    const body = new URLSearchParams({ ...fields, ':cq_csrf_token': token });
    const answer = await fetch(`${at}${path}`, { method: 'POST', headers: bearer, body });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  const stored = async (path: string) => {
    const headers = { 'x-auth-token': await serviceTokenOf(ADA, addresses) };
    const answer = await fetch(`${addresses.backend}${path}`, { headers });
    const text = await answer.text();
    return { status: answer.status, body: answer.ok ? (JSON.parse(text) as unknown) : text };
  };
  return {
    ...constellation,
    call: (method, path, body) => callAsAda(constellation, method, path, body),
    stored,
    post,
    content: (path) => read(`${path}.infinity.json`),
    projectType: async (conf) => EdgeContent.parse(await read(`${conf}/${EDGE_CONFIGURATION}/jcr:content.json`)).projectType,
    versions: async (site) => {
      const { status, body } = await stored(`/config/wknd/sites/${site}/versions.json?limit=1000`);
      return status === 200 ? VersionList.parse(body).versions.map(({ version }) => version) : [];
    },
    async served(address) {
      const { pathname, search } = new URL(address);
      const { status, text, headers } = await ask(address, `${pathname}${search}`);
      if (status !== 200) return status;
      return headers['content-type']?.includes('json') === true ? (JSON.parse(text) as unknown) : text;
    },
    async addSite(name, { title = `Site ${name}`, organization = 'wknd', siteName = name, environment } = {}) {
      const page = {
        './jcr:primaryType': 'cq:Page',
        './jcr:content/jcr:title': title,
        './jcr:content/cq:conf': `/conf/${name}`,
        './jcr:content/sling:resourceType': 'core/franklin/components/page/v1/page',
      };
      const edge = {
        './owner': organization,
        './repo': siteName,
        './projectType': '1',
        './open': 'true',
        './open@TypeHint': 'Boolean',
      };
      await post(`/content/${name}`, page, environment);
      await post(`/conf/${name}/${EDGE_CONFIGURATION}/jcr:content`, edge, environment);
      return `/content/${name}`;
    },
    async revoke(token) {
      const answer = await fetch(`${addresses.backend}/logout`, { headers: { 'x-auth-token': token }, redirect: 'manual' });
      if (answer.status !== 302) throw new Error(`The token was not revoked: ${answer.status}`);
    },
    async fault(stand, fault) {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${addresses.console}/console/faults/${stand}`, { method: 'POST', headers, body: JSON.stringify(fault) });
      if (!answer.ok) throw new Error(`${stand}: ${await answer.text()}`);
    },
  };
}

/** A call of the service as an administrator, or of another program by its full address. Throws if it is refused. */
export async function callAsAda(
  { sandbox }: Pick<Constellation, 'sandbox'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const { addresses } = sandbox;
  const headers = { 'x-auth-token': await serviceTokenOf(ADA, addresses), 'content-type': 'application/json' };
  const answer = await fetch(new URL(path, addresses.backend), {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

const HOME = 'p100-e200';
const Csrf = z.object({ token: z.string() });
const EdgeContent = z.looseObject({ projectType: z.string() });
