import { contentRootKey } from '@repoless/contract/addresses.ts';
import { externalSource } from '@repoless/contract/code-source.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { contentRoot, contentRoots } from '@repoless/contract/mappings.ts';
import type { Headers } from '@repoless/contract/site-parts.ts';
import type { Profile, Site } from '@repoless/contract/site.ts';
import { oncePerDocument } from '../domain/documents.ts';
import { canonical } from '@repoless/contract/json.ts';
import type { SiteWrite } from '../domain/ports.ts';

/** The profile of an organization that holds for its sites that say nothing about `extends`. */
export const DEFAULT_PROFILE = 'default';

/** The profile that a site extends, by name or by default; undefined where `extends` names none. */
export function extendedProfile({ extends: from }: Pick<Site, 'extends'>): string | undefined {
  return from === undefined ? DEFAULT_PROFILE : from.profile;
}

type Tree = Readonly<Record<string, unknown>>;

/**
 * What holds for a site: its configuration over that of the profile that it extends. Objects are laid over each other by
 * their keys; lists, the code source and the content source are the site's own or the profile's, never both; headers are
 * united by path and name, the paths in the order of the profile, then those that the site adds. `extends` names the profile, by default too. Out: the same object without a profile. Rule: docs/contract.md 3.12.
 */
export function aggregateSite(site: Site, profile: Profile | undefined): Site {
  if (profile === undefined) return site;
  const { code = profile.code, content = profile.content } = site;
  const headers = unitedHeaders(profile.headers, site.headers);
  return canonical({
    ...asSite(overlaid(profile, site)),
    ...(code === undefined ? {} : { code }),
    ...(content === undefined ? {} : { content }),
    ...(headers === undefined ? {} : { headers }),
    ...(site.extends === undefined ? { extends: { profile: DEFAULT_PROFILE } } : {}),
  });
}

/** What a site is looked up by: its content root on its authoring host, its repository, and whether it holds the secret. */
export const siteIndexKeys = oncePerDocument((config: Site): Pick<SiteWrite, 'contentRoot' | 'repository' | 'holdsSecret'> => {
  const { source, owner, repo } = config.code ?? {};
  const external = externalSource(config.code);
  const root = contentRoot(config.public?.paths?.mappings ?? []);
  const key = config.content === undefined || root === undefined ? undefined : contentRootKey(config.content.source.url, root);
  return {
    ...(key === undefined ? {} : { contentRoot: key }),
    ...(source === undefined || owner === undefined || repo === undefined
      ? {}
      : { repository: `${external === undefined ? 'github' : 'byogit'}:${owner}/${repo}` }),
    holdsSecret: external?.secretId !== undefined,
  };
});

/**
 * Content that a site maps to `/` beside its content root, and that lies elsewhere: it must be no other site's root. Mappings that are never
 * tried don't count.
 */
export const furtherRootKeys = oncePerDocument((config: Site): readonly string[] => {
  const [root, ...others] = contentRoots(config.public?.paths?.mappings ?? []);
  const elsewhere = others.filter((path) => !path.startsWith(`${root ?? ''}/`)).slice(-LIMITS.mappingsTried);
  return elsewhere.flatMap((path) => (config.content === undefined ? [] : (contentRootKey(config.content.source.url, path) ?? [])));
});

function overlaid(base: Tree, over: Tree): Tree {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = isTree(below) && isTree(value) ? overlaid(below, value) : value;
  }
  return merged;
}

function unitedHeaders(base: Headers | undefined, over: Headers | undefined): Headers | undefined {
  if (base === undefined || over === undefined) return over ?? base;
  const united = { ...base };
  for (const [path, headers] of Object.entries(over)) {
    const own = new Set(headers.map(({ key }) => key.toLowerCase()));
    united[path] = [...(base[path] ?? []).filter(({ key }) => !own.has(key.toLowerCase())), ...headers];
  }
  return united;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Safe: both were parsed, a profile has the parts of a site, and what is required of a site comes from the site.
function asSite(tree: Tree): Site {
  return tree as Site;
}
