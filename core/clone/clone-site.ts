import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { changedDelivery } from '@repoless/contract/addresses.ts';
import type { Access } from '@repoless/contract/access.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import { contentRoot, parseMapping, printMapping } from '@repoless/contract/mappings.ts';
import type { ContentSource, PublicConfig, Site, SiteInput } from '@repoless/contract/site.ts';
import { withoutServerFields } from '../plan/desired-site.ts';

/** What a clone never has of its source: credentials are one site's own, and a host belongs to one site. */
export const NOT_COPIED = ['secrets', 'apiKeys', 'tokens', 'hostKeys', 'repositorySecret', 'cdn', 'sidekickHosts'] as const;
export type NotCopied = (typeof NOT_COPIED)[number];

/** What must differ. */
export interface CloneTarget {
  readonly organization: string;
  readonly siteName: string;
  /** Without a trailing slash. */
  readonly contentRoot: string;
}

export interface Clone {
  readonly input: SiteInput;
  /** Of what a clone never has, what the source does have. */
  readonly leftOut: readonly NotCopied[];
}

type Part = 'secrets' | 'apiKeys' | 'tokens' | 'cdn';

/**
 * The configuration of a new site from that of another one as it is stored, what comes from its profile left there. Paths below the content root
 * move with it, the delivery address is the new site's. A host that was guarded by keys stays guarded. Undefined where the source has no content
 * root on an authoring system.
 */
export function cloneSite(source: Site, target: CloneTarget): Clone | undefined {
  const root = contentRoot(source.public?.paths?.mappings ?? []);
  const place = { org: target.organization, site: target.siteName, ref: DEFAULT_REF };
  const url = source.content === undefined ? undefined : changedDelivery(source.content.source.url, place);
  if (source.content === undefined || url === undefined || root === undefined) return undefined;
  const { secrets, apiKeys, tokens, cdn, ...kept } = withoutServerFields(source);
  const { access, code, sidekick } = kept;
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
      ...kept,
      version: 1,
      content: contentOf(source.content, url),
      public: publicOf(source.public ?? {}, root, target.contentRoot),
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

function publicOf(open: PublicConfig, from: string, to: string): PublicConfig {
  const moved = (path: string) => (path === from || path.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : path);
  const movedMapping = (text: string) => {
    const mapping = parseMapping(text);
    return 'content' in mapping ? printMapping({ ...mapping, content: moved(mapping.content) }) : text;
  };
  const { mappings, includes, excludes, ...others } = open.paths ?? {};
  const paths = {
    ...others,
    ...(mappings === undefined ? {} : { mappings: mappings.map(movedMapping) }),
    ...(includes === undefined ? {} : { includes: includes.map(moved) }),
    ...(excludes === undefined ? {} : { excludes: excludes.map(moved) }),
  };
  return { ...open, paths };
}

/** The first site of an external repository holds its secret, and the others use it there. */
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

/** Without what names keys and secrets of the source. Where a host was guarded by them alone, taking them away would open it. */
function withoutKeys({ admin, ...access }: Access): Access {
  const { apiKeyId: _key, ...plainAdmin } = admin ?? {};
  const plain: Access = Object.fromEntries(
    HOSTS.flatMap((host) => {
      const { apiKeyId: _keys, secretId: _secrets, ...own } = access[host] ?? {};
      return access[host] === undefined ? [] : [[host, own] as const];
    }),
  );
  const opened = (['preview', 'live'] as const).filter((tier) => isGuarded(access, tier) && !isGuarded(plain, tier));
  return {
    ...(admin === undefined ? {} : { admin: plainAdmin }),
    ...plain,
    ...Object.fromEntries(opened.map((tier) => [tier, { ...plain[tier], requireAuth: true }])),
  };
}

/** As the hosts see it (docs/contract.md 6.4): of each field the host's own value counts, else that for both. */
function isGuarded(access: Access, tier: 'preview' | 'live'): boolean {
  const { allow = [], apiKeyId = [], secretId = [], requireAuth }: NonNullable<Access[typeof tier]> = { ...access.site, ...access[tier] };
  return requireAuth === true || (requireAuth !== false && allow.length + apiKeyId.length + secretId.length > 0);
}
