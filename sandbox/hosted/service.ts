import { type Answer, type ReceivedRequest, bodyOf, isWrite, Refusal, toH5Address, type Target, targetOf } from './received-request.ts';
import { answerBranch } from './branch.ts';
import { answerAggregated, answerDocument, answerList } from './configuration.ts';
import { keyEntry } from './collections.ts';
import { type Credentials, endOf } from './credentials.ts';
import type { HostedSeed } from './example.ts';
import { type Guard, guardOf, type Context } from './context.ts';
import { effective, type StoredItem, type Json, objectAt, type Store, textAt } from './store.ts';
import type { HostedSwitches } from './switches.ts';

export interface ServiceParts {
  readonly store: Store;
  readonly credentials: Credentials;
  readonly people: readonly string[];
  head(repository: string, branch: string): string | undefined;
  switches(): HostedSwitches;
  hosts(site: StoredItem, ref: string): { readonly preview: string; readonly live: string };
  issueSiteToken(org: string, site: string): string;
}

/** Maximum bytes of a body at the successor. */
const BODY_LIMIT = 4_717_360;

export interface Service {
  answer(request: ReceivedRequest): Answer;
  /** A change by someone else, at an H5 address, without limits. Throws if it is refused. */
  change(method: string, path: string, body?: unknown): void;
  /** A key listed in the configuration of its subject. */
  registeredKey(claims: Json): string;
  plant(seed: HostedSeed): void;
}

/** The service's answers. Throws a `Refusal` for an error. */
export function openService(parts: ServiceParts): Service {
  const { store, credentials } = parts;
  const run = (request: ReceivedRequest, guard?: Guard): Answer => {
    const path = request.generation === 'H5' ? request.path : toH5Address(request.path);
    const target = path === undefined ? ({ kind: 'unknown' } as const) : targetOf(path);
    if (request.generation === 'H6' && request.body.length > BODY_LIMIT) throw new Refusal(413);
    if ('org' in target && !/^[a-z0-9][a-z0-9-]*$/.test(target.org)) throw new Refusal(400);
    const switches = parts.switches();
    const caller = credentials.callerOf(request.headers);
    const hostsOf = (site: StoredItem) => Object.values(parts.hosts(site, 'main'));
    const context: Context = {
      store,
      switches,
      request,
      guard: guard ?? guardOf({ store, switches, request, caller, hostsOf }),
      head: parts.head,
      issueKey: (claims) => credentials.token('unregistered', claims),
    };
    const answer = dispatch(context, target, parts);
    if (isWrite(request.method)) log(context, target, answer);
    return answer;
  };
  const change = (method: string, path: string, body?: unknown): void => {
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    const request: ReceivedRequest = {
      generation: 'H5',
      method,
      path: pathname,
      query: searchParams,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body) ?? ''),
    };
    run(request, EVERYTHING);
  };
  return {
    answer: (request) => run(request),
    change,
    registeredKey(claims) {
      const token = credentials.token('apiKey', claims);
      const [org = '', site = ''] = String(claims['sub']).split('/');
      const item = site === '' || site === '*' ? store.find('org', org, '') : store.find('sites', org, site);
      if (item?.document === undefined) throw new Error(`No configuration has the subject ${String(claims['sub'])}.`);
      const { name, entry } = keyEntry(token);
      store.save(item, { ...item.document, apiKeys: { ...objectAt(item.document, 'apiKeys'), [name]: entry } });
      return token;
    },
    plant({ organizations, sites }) {
      for (const [org, body] of Object.entries(organizations)) change('PUT', `/config/${org}.json`, body);
      for (const { org, site, body } of sites) change('PUT', `/config/${org}/sites/${site}.json`, body);
    },
  };
}

/** For the stand-in's own actions. */
const EVERYTHING: Guard = {
  caller: { kind: 'session', names: [], claims: { email: 'someone.else@example.com' }, isStale: false },
  roles: () => ['admin'],
  require: () => undefined,
};

function dispatch(context: Context, target: Target, parts: ServiceParts): Answer {
  switch (target.kind) {
    case 'list':
      return answerList(context, target);
    case 'aggregated':
      return answerAggregated(context, target);
    case 'document':
      return answerDocument(context, target);
    case 'branch':
      return answerBranch(context, target, parts.hosts);
    case 'sign-in':
      return answerSignIn(context, target.path, {
        people: parts.people,
        issueSession: (claims) => parts.credentials.token('session', claims),
        issueSiteToken: parts.issueSiteToken,
        keys: parts.credentials.keys,
      });
    case 'malformed':
      throw new Refusal(400, '[Fastly] Invalid path format');
    case 'unknown':
      throw new Refusal(404);
    default:
      return target satisfies never;
  }
}

/** Writes about a site are logged while its content source is known; those about an organization are not. */
function log({ store, request, guard }: Context, target: Target, { status }: Answer): void {
  const name = target.kind === 'branch' ? target.site : target.kind === 'document' && target.of === 'sites' ? target.name : '';
  if (name === '' || !('org' in target) || (target.kind === 'branch' && target.call === 'log')) return;
  const item = store.find('sites', target.org, name);
  const busId = textAt(item?.document, 'content', 'contentBusId');
  if (item === undefined || busId === '') return;
  item.log.push({
    timestamp: Date.now(),
    method: request.method,
    route: target.kind === 'branch' ? target.call : 'config',
    path: target.kind === 'document' ? `/${target.rest}` : request.path,
    status,
    duration: 1,
    user: guard.caller.claims['email'],
    org: target.org,
    site: name,
    ref: 'main',
    contentBusId: busId,
  });
}

interface SignInParts {
  readonly people: readonly string[];
  issueSession(claims: Json): string;
  issueSiteToken(org: string, site: string): string;
  keys(): Json;
}

/** The only address that the loopback sign-in posts to. */
const LOOPBACK = /^http:\/\/localhost:\d+\/\.aem\/cli\/login\/ack$/;

/** Sign-in, sign-out, and the profile. */
function answerSignIn(context: Context, path: string, parts: SignInParts): Answer {
  const { request, store, guard } = context;
  const [first, org = request.query.get('org') ?? '', site = request.query.get('site') ?? ''] = path.slice(1).split('/');
  if (request.method === 'HEAD') throw new Refusal(405);
  switch (first) {
    case 'login':
      if (org === '') return { status: 200, json: { links: signInLinks(guard.caller.kind !== 'anonymous') } };
      if (store.find('sites', org, site)?.document === undefined) throw new Refusal(404);
      return redirectToProvider(request.query, org, site);
    case 'logout':
      return { status: 200, json: { status: 200 }, headers: { 'set-cookie': 'auth_token=; Path=/; Max-Age=0' } };
    case 'profile':
      return answerProfile(context, org, site);
    case 'idp':
      return html(parts.people.map((email) => link(`/auth/adobe/ack?${including(request.query, { email })}`, email)).join('<br>'));
    case 'auth':
      if (path === '/auth/discovery/keys') return { status: 200, json: parts.keys() };
      if (path === '/auth/adobe/exchange') return exchange(context, parts);
      if (path.endsWith('/ack')) return acknowledge(context, parts);
      throw new Refusal(404);
    default:
      throw new Refusal(404);
  }
}

function signInLinks(isSignedIn: boolean): Json {
  if (isSignedIn) return { logout: '/logout' };
  const providers = ['google', 'microsoft', 'adobe', 'adobe-stage'].flatMap((name) => [
    [`login_${name}`, `/auth/${name}`],
    [`login_${name}_sa`, `/auth/${name}?selectAccount=true`],
  ]);
  return Object.fromEntries(providers) as Json;
}

function redirectToProvider(query: URLSearchParams, org: string, site: string): Answer {
  const target = query.get('redirect_uri');
  if (target !== null && !(query.get('client_id') === 'aem-cli' && LOOPBACK.test(target))) throw new Refusal(400, 'invalid redirect_uri');
  return { status: 302, headers: { location: `/idp?${including(query, { org, site })}` } };
}

/** The end of a sign-in: a cookie, or a page that sends the tokens to a program on this machine when the person presses Send. */
function acknowledge({ request, switches }: Context, { people, issueSession, issueSiteToken }: SignInParts): Answer {
  const { query } = request;
  const email = query.get('email') ?? '';
  if (!people.includes(email)) throw new Refusal(401, 'not authenticated');
  const authToken = issueSession({ email, name: email, user_id: email });
  const target = query.get('redirect_uri');
  if (target === null) {
    const cookie = `auth_token=${authToken}; Path=/; HttpOnly; Secure; SameSite=Strict`;
    return html('<meta http-equiv="refresh" content="0; url=/profile">', { 'set-cookie': cookie });
  }
  const siteToken = issueSiteToken(query.get('org') ?? '', query.get('site') ?? '');
  const sent = { state: query.get('state'), siteToken, ...(switches.loopbackAuthToken ? { authToken } : {}) };
  return html(`<button>Send</button>
<script type="application/json" id="tokens">${JSON.stringify(sent).replaceAll('<', String.raw`\u003c`)}</script>
<script>
document.querySelector('button').onclick = async (event) => {
  const body = document.getElementById('tokens').textContent;
  const answer = await fetch(${JSON.stringify(target)}, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  event.target.outerText = answer.ok ? 'Sent. You can close this window.' : 'Not accepted: ' + answer.status;
};
</script>`);
}

/** The key need not be registered: any token that the service signed has a profile. */
function answerProfile({ request, guard, store }: Context, org: string, site: string): Answer {
  const { kind, claims } = guard.caller;
  if (request.method !== 'GET') throw new Refusal(405);
  if (kind === 'anonymous') return { status: 401, json: { status: 401 }, headers: { 'x-error': 'not authenticated.' } };
  if (org !== '' && guard.roles(org, store.find('sites', org, site)).length === 0) throw new Refusal(403, 'not authorized');
  const exp = endOf(claims);
  const { email, name, iss, aud, iat } = claims;
  const ttl = Math.floor(exp - Date.now() / 1000);
  return { status: 200, json: { status: 200, profile: { email, name, iss, aud, iat, exp, ttl }, links: { logout: '/logout' } } };
}

/** Exchanges an IMS token for one that grants access to the hosts of a guarded site, and to nothing here. */
function exchange({ request, store }: Context, { issueSiteToken }: SignInParts): Answer {
  if (request.method !== 'POST') throw new Refusal(405);
  const body = bodyOf(request);
  const [org, site] = [textAt(body, 'org'), textAt(body, 'site')];
  const item = store.find('sites', org, site);
  if (item?.document === undefined) throw new Refusal(404);
  if (Object.keys(objectAt(effective(store, item), 'access', 'site')).length === 0) return { status: 200, json: {} };
  return { status: 200, json: { siteToken: issueSiteToken(org, site), siteTokenExpiry: Date.now() + 86_400_000 } };
}

function including(query: URLSearchParams, further: Readonly<Record<string, string>>): string {
  return new URLSearchParams([...query, ...Object.entries(further)]).toString();
}

function link(address: string, text: string): string {
  return `<a href="${address.replaceAll('&', '&amp;')}">${text}</a>`;
}

function html(body: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status: 200,
    text: `<!DOCTYPE html><title>Sign-in</title>${body}\n`,
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  };
}
