import { asPresentAddress, type Place, placeOf } from './addresses.ts';
import { type Answer, type Asked, isWrite, Refusal } from './asked.ts';
import { answerBranch } from './branch.ts';
import { answerAggregated, answerDocument, answerList } from './configuration.ts';
import { keyEntry } from './collections.ts';
import { type Credentials } from './credentials.ts';
import type { HostedSeed } from './example.ts';
import type { Context } from './keep-document.ts';
import { type Guard, guardOf } from './permissions.ts';
import { answerSignIn } from './sign-in.ts';
import { type Holding, type Json, objectAt, type Store, textAt } from './store.ts';
import type { HostedSwitches } from './switches.ts';

export interface ServiceParts {
  readonly store: Store;
  readonly credentials: Credentials;
  readonly people: readonly string[];
  head(repository: string, branch: string): string | undefined;
  switches(): HostedSwitches;
  hosts(site: Holding, ref: string): { readonly preview: string; readonly live: string };
  issueSiteToken(org: string, site: string): string;
}

/** Maximum bytes of a body at the successor. */
const BODY_LIMIT = 4_717_360;

export interface Service {
  answer(asked: Asked): Answer;
  /** A change by somebody else, at an H5 address, without limits. Throws if it is refused. */
  change(method: string, path: string, body?: unknown): void;
  /** A key listed in the configuration of its subject. */
  registeredKey(claims: Json): string;
  plant(seed: HostedSeed): void;
}

/** The service's answers. Throws a `Refusal` for an error. */
export function openService(parts: ServiceParts): Service {
  const { store, credentials } = parts;
  const run = (asked: Asked, guard?: Guard): Answer => {
    const path = asked.generation === 'H5' ? asked.path : asPresentAddress(asked.path);
    const place = path === undefined ? ({ kind: 'unknown' } as const) : placeOf(path);
    if (asked.generation === 'H6' && asked.body.length > BODY_LIMIT) throw new Refusal(413);
    if ('org' in place && !/^[a-z0-9][a-z0-9-]*$/.test(place.org)) throw new Refusal(400);
    const switches = parts.switches();
    const caller = credentials.callerOf(asked.headers);
    const hostsOf = (site: Holding) => Object.values(parts.hosts(site, 'main'));
    const context: Context = {
      store,
      switches,
      asked,
      guard: guard ?? guardOf({ store, switches, asked, caller, hostsOf }),
      head: parts.head,
      issueKey: (claims) => credentials.token('unregistered', claims),
    };
    const answer = dispatch(context, place, parts);
    if (isWrite(asked.method)) log(context, place, answer);
    return answer;
  };
  const change = (method: string, path: string, body?: unknown): void => {
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    const asked: Asked = {
      generation: 'H5',
      method,
      path: pathname,
      query: searchParams,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body) ?? ''),
    };
    run(asked, EVERYTHING);
  };
  return {
    answer: (asked) => run(asked),
    change,
    registeredKey(claims) {
      const token = credentials.token('apiKey', claims);
      const [org = '', site = ''] = String(claims['sub']).split('/');
      const holding = site === '' || site === '*' ? store.find('org', org, '') : store.find('sites', org, site);
      if (holding?.document === undefined) throw new Error(`No configuration has the subject ${String(claims['sub'])}.`);
      const { name, entry } = keyEntry(token);
      store.save(holding, { ...holding.document, apiKeys: { ...objectAt(holding.document, 'apiKeys'), [name]: entry } });
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

function dispatch(context: Context, place: Place, parts: ServiceParts): Answer {
  switch (place.kind) {
    case 'list':
      return answerList(context, place);
    case 'aggregated':
      return answerAggregated(context, place);
    case 'document':
      return answerDocument(context, place);
    case 'branch':
      return answerBranch(context, place, parts.hosts);
    case 'sign-in':
      return answerSignIn(context, place.path, {
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
      return place satisfies never;
  }
}

/** Writes about a site are logged while its content source is known; those about an organization are not. */
function log({ store, asked, guard }: Context, place: Place, { status }: Answer): void {
  const name = place.kind === 'branch' ? place.site : place.kind === 'document' && place.of === 'sites' ? place.name : '';
  if (name === '' || !('org' in place) || (place.kind === 'branch' && place.call === 'log')) return;
  const holding = store.find('sites', place.org, name);
  const busId = textAt(holding?.document, 'content', 'contentBusId');
  if (holding === undefined || busId === '') return;
  holding.log.push({
    timestamp: Date.now(),
    method: asked.method,
    route: place.kind === 'branch' ? place.call : 'config',
    path: place.kind === 'document' ? `/${place.rest}` : asked.path,
    status,
    duration: 1,
    user: guard.caller.claims['email'],
    org: place.org,
    site: name,
    ref: 'main',
    contentBusId: busId,
  });
}
