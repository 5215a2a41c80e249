import { canonical } from './json.ts';
import type { Headers } from './site-parts.ts';
import type { Profile, Site } from './site.ts';

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
