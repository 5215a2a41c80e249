import { canonical } from './json.ts';
import type { Headers } from './site-parts.ts';
import type { ContentSource, Profile, Site } from './site.ts';

/** The organization's profile for sites that don't set `extends`. */
export const DEFAULT_PROFILE = 'default';

/** The profile that a site extends, by name or by default; undefined if `extends` names none. */
export function extendedProfile({ extends: from }: Pick<Site, 'extends'>): string | undefined {
  return from === undefined ? DEFAULT_PROFILE : from.profile;
}

type Tree = Readonly<Record<string, unknown>>;

/**
 * The effective configuration of a site: its own merged over the profile that it extends (docs/contract.md 3.12). Objects are merged by key. Lists,
 * the code source and the content source come either from the site or from the profile. Headers are merged by path and name: first the profile's
 * paths in its order, then those that the site adds. `extends` names the profile, even if it is the default. Returns the same object if there is no
 * profile.
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

// Safe: both were parsed, a profile has the parts of a site, and the required parts of a site come from the site.
function asSite(tree: Tree): Site {
  return tree as Site;
}

/** Markup has the suffix `.html` unless another is set. */
export function withSuffix(content: ContentSource): ContentSource {
  const { source } = content;
  return source.type === 'markup' ? { ...content, source: { ...source, suffix: source.suffix ?? '.html' } } : content;
}
