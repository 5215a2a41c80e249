import { type Access, hostReaders } from '@repoless/contract/access.ts';
import { changedDelivery } from '@repoless/contract/addresses.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import { contentRoot } from '@repoless/contract/mappings.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { ContentSource, Site, SiteInput } from '@repoless/contract/site.ts';
import { type Change, hasNoChanges } from '../history/change.ts';
import { describeChange } from '../history/describe-change.ts';
import { isObject } from '../history/json-values.ts';
import { withoutServerFields } from '../plan/desired-site.ts';
import { problemsOfFailure } from '../sites/row-problems.ts';
import { movedPublic } from '../sites/row-site.ts';
import { type Call, type Failure, failureOf, hasNoDryRun, isUncertain, type Known } from '../situation/call.ts';
import type { AuthoringPort, ServicePort } from '../situation/ports.ts';
import { putSite } from '../situation/site-calls.ts';

/** What a clone never copies from its source: credentials belong to one site, and so does a host. */
export const NOT_COPIED = ['secrets', 'apiKeys', 'tokens', 'hostKeys', 'repositorySecret', 'cdn', 'sidekickHosts'] as const;
type NotCopied = (typeof NOT_COPIED)[number];

/** The values that must differ from the source. */
export interface CloneTarget {
  readonly organization: string;
  readonly siteName: string;
  /** Without a trailing slash. */
  readonly contentRoot: string;
}

export interface Clone {
  readonly input: SiteInput;
  /** Those parts of NOT_COPIED that the source has. */
  readonly leftOut: readonly NotCopied[];
}

type Part = 'secrets' | 'apiKeys' | 'tokens' | 'cdn';

/**
 * The configuration of a new site from the stored configuration of another one, without the values of its profile. Paths below the content
 * root move with it; the delivery address is that of the new site. A host that was guarded by keys stays guarded. Undefined if the source
 * has no content root on an authoring system.
 */
export function cloneSite(source: Site, target: CloneTarget): Clone | undefined {
  const root = contentRoot(source.public?.paths?.mappings ?? []);
  const branch = { org: target.organization, site: target.siteName, ref: DEFAULT_REF };
  const url = source.content === undefined ? undefined : changedDelivery(source.content.source.url, branch);
  if (source.content === undefined || url === undefined || root === undefined) return undefined;
  const { secrets, apiKeys, tokens, cdn, ...copied } = withoutServerFields(source);
  const { access, code, sidekick } = copied;
  const { host, previewHost, liveHost, reviewHost, ...plainSidekick } = sidekick ?? {};
  const parts = Object.entries({ secrets, apiKeys, tokens, cdn } satisfies Record<Part, unknown>);
  const left = new Set<NotCopied>([
    ...parts.flatMap(([name, value]) => (isEmpty(value) ? [] : NOT_COPIED.filter((one) => one === name))),
    ...(access === undefined || !namesKeys(access) ? [] : ['hostKeys' as const]),
    ...(code?.source?.secretId === undefined ? [] : ['repositorySecret' as const]),
    ...([host, previewHost, liveHost, reviewHost].some((name) => name !== undefined) ? ['sidekickHosts' as const] : []),
  ]);
  return {
    input: {
      ...copied,
      version: 1,
      content: contentOf(source.content, url),
      public: movedPublic([{ from: root, to: target.contentRoot }], source.public ?? {}),
      ...(code === undefined ? {} : { code: withoutSecret(code) }),
      ...(access === undefined ? {} : { access: withoutKeys(access) }),
      ...(sidekick === undefined ? {} : { sidekick: plainSidekick }),
    },
    leftOut: NOT_COPIED.filter((name) => left.has(name)),
  };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

function contentOf({ contentBusId: _id, ...content }: ContentSource, url: string): ContentSource {
  return { ...content, source: { ...content.source, url } };
}

/** The first site of an external repository holds its secret, and the others use that. */
function withoutSecret(code: CodeSource): CodeSource {
  if (code.source === undefined) return code;
  const { secretId: _secret, ...source } = code.source;
  return { ...code, source };
}

const HOSTS = ['site', 'preview', 'live'] as const;

function namesKeys(access: Access): boolean {
  return [access.admin?.apiKeyId, ...HOSTS.flatMap((host) => [access[host]?.apiKeyId, access[host]?.secretId])].some(
    (ids) => !isEmpty(ids),
  );
}

/** Without references to keys and secrets of the source. Removing them would open a host that only they guarded. */
function withoutKeys({ admin, ...access }: Access): Access {
  const { apiKeyId: _key, ...plainAdmin } = admin ?? {};
  const plain: Access = Object.fromEntries(
    HOSTS.flatMap((host) => {
      const { apiKeyId: _keys, secretId: _secrets, ...own } = access[host] ?? {};
      return access[host] === undefined ? [] : [[host, own] as const];
    }),
  );
  const opened = (['preview', 'live'] as const).filter(
    (tier) => hostReaders(access, tier) !== undefined && hostReaders(plain, tier) === undefined,
  );
  return {
    ...(admin === undefined ? {} : { admin: plainAdmin }),
    ...plain,
    ...Object.fromEntries(opened.map((tier) => [tier, { ...plain[tier], requireAuth: true }])),
  };
}

/** A clone that the service would accept, and its differences from the source. */
export interface TriedClone {
  /** Creates the site and never replaces one. */
  readonly call: Call;
  readonly differences: readonly Change[];
  readonly leftOut: readonly NotCopied[];
  /** The service has no dry runs. */
  readonly untried?: Failure;
}

/** Why it cannot be cloned: a problem of a field or of the whole. */
export interface CloneProblem {
  readonly field: 'siteName' | 'contentRoot' | 'whole';
  readonly message:
    | { readonly kind: 'sentence'; readonly sentence: string; readonly failure: Failure }
    | { readonly kind: 'failure'; readonly failure: Failure }
    | { readonly kind: 'name-taken' | 'page-missing' | 'source-missing' | 'no-content-root' };
}

type CloneTry =
  { readonly state: 'ready'; readonly clone: TriedClone } | { readonly state: 'blocked'; readonly problems: readonly CloneProblem[] };

interface ClonePorts {
  readonly service: Pick<ServicePort, 'configuration' | 'dryRun'>;
  /** Absent if the authoring system cannot be read: whether the content exists is then unknown. */
  readonly authoring?: Pick<AuthoringPort, 'content'>;
}

/** Reads the source again, builds a clone from it, and asks the service whether it would accept it. Writes nothing. */
export async function tryClone({ service, authoring }: ClonePorts, source: string, target: CloneTarget): Promise<CloneTry> {
  const { organization, contentRoot } = target;
  const [read, page] = await Promise.all([service.configuration(organization, source), authoring?.content(contentRoot)]);
  if (read.state === 'failed') return blocked('whole', { kind: 'failure', failure: read.failure });
  if (read.state === 'missing') return blocked('whole', { kind: 'source-missing' });
  if (page?.state === 'missing') return blocked('contentRoot', { kind: 'page-missing' });
  const clone = cloneSite(read.value.config, target);
  if (clone === undefined) return blocked('whole', { kind: 'no-content-root' });
  const call = putSite(target, clone.input, `clone of ${source}`.slice(0, MAX_NAMED), { ifNoneMatch: '*' });
  const tried = await service.dryRun(call);
  const ready = { call, leftOut: clone.leftOut, differences: differences(read.value.config, clone.input) };
  if (tried.state === 'known') return { state: 'ready', clone: ready };
  if (tried.state === 'failed' && hasNoDryRun(tried)) return { state: 'ready', clone: { ...ready, untried: tried.failure } };
  return { state: 'blocked', problems: problemsOfClone(tried) };
}

/** Characters of the name of a version. */
const MAX_NAMED = 100;

/** The problems behind a refusal of the clone, or of its dry run, by field. */
export function problemsOfClone(answer: Exclude<Known<unknown>, { state: 'known' }>): CloneProblem[] {
  const failure: Failure = failureOf(answer);
  if (failure.status === 412) return [{ field: 'siteName', message: { kind: 'name-taken' } }];
  return problemsOfFailure(failure).map(({ cell, message }) => ({
    field:
      cell === 'siteName' ? 'siteName' : cell === 'contentRoot' || cell === 'mappings' || cell === 'includes' ? 'contentRoot' : 'whole',
    message: message.kind === 'sentence' ? { kind: 'sentence', sentence: message.sentence, failure } : { kind: 'failure', failure },
  }));
}

function differences(source: Site, input: object): Change[] {
  return describeChange(source, { ...input });
}

function blocked(field: CloneProblem['field'], message: CloneProblem['message']): CloneTry {
  return { state: 'blocked', problems: [{ field, message }] };
}

/** `lost`: it may have been created, and what is stored cannot be read now. */
type CloneEnd = { readonly state: 'created' } | { readonly state: 'refused' | 'lost'; readonly problems: readonly CloneProblem[] };

type Service = Pick<ServicePort, 'send' | 'configuration' | 'dryRun'>;

/** Creates a clone after its dry run. If the answer is lost, what is stored under its name shows whether it was created. */
export async function createClone(service: Service, clone: TriedClone, target: CloneTarget): Promise<CloneEnd> {
  const failure = failureOf(await service.send(clone.call));
  if (failure === undefined) return { state: 'created' };
  if (!isUncertain(failure)) return refused(failure);
  const stored = await service.configuration(target.organization, target.siteName);
  if (stored.state === 'missing') return refused(failure);
  const lost = { state: 'lost', problems: problemsOfClone({ state: 'failed', failure }) } as const;
  if (stored.state === 'failed') return lost;
  const { ifNoneMatch: _none, ...call } = clone.call;
  const comparison = await service.dryRun({ ...call, ifMatch: stored.value.etag });
  if (comparison.state !== 'known' || !isObject(comparison.value.result)) return lost;
  const isSame = hasNoChanges(describeChange({ ...stored.value.config }, comparison.value.result));
  return isSame ? { state: 'created' } : refused(TAKEN);
}

/** Someone else created a site with that name. */
const TAKEN: Failure = { kind: 'refused', status: 412 };

function refused(failure: Failure): CloneEnd {
  return { state: 'refused', problems: problemsOfClone({ state: 'failed', failure }) };
}
