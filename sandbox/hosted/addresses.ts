/** The successor's addresses and the equivalent ones of H5; `$1` … are the pattern's groups. */
const SUCCESSOR: readonly (readonly [RegExp, string])[] = [
  [/^\/(login|logout|profile|auth\/.*|ping\/.*)$/, '/$1'],
  [/^\/([^/]+)\/sites\/([^/]+)\/login$/, '/login/$1/$2/main'],
  [/^\/([^/]+)\/config\.json$/, '/config/$1.json'],
  [/^\/([^/]+)\/config\/(.+?)(?:\.json)?$/, '/config/$1/$2.json'],
  [/^\/([^/]+)\/(sites|profiles)$/, '/config/$1/$2.json'],
  [/^\/([^/]+)\/(sites|profiles)\/([^/]+)\/config\.json$/, '/config/$1/$2/$3.json'],
  [/^\/([^/]+)\/sites\/([^/]+)\/config\/(query|sitemap)\.yaml$/, '/config/$1/sites/$2/content/$3.yaml'],
  [/^\/([^/]+)\/(sites|profiles)\/([^/]+)\/config\/robots\.txt$/, '/config/$1/$2/$3/robots.txt'],
  [/^\/([^/]+)\/(sites|profiles)\/([^/]+)\/config\/(.+?)(?:\.json)?$/, '/config/$1/$2/$3/$4.json'],
  [/^\/([^/]+)\/aggregated\/([^/]+)\/config\.json$/, '/config/$1/aggregated/$2.json'],
  [/^\/([^/]+)\/repos\/([^/]+)\/code\/(.+)$/, '/code/$1/$2/$3'],
  [/^\/([^/]+)\/sites\/([^/]+)\/jobs\/([^/]+)$/, '/job/$1/$2/main/$3'],
  [/^\/([^/]+)\/sites\/([^/]+)\/jobs\/([^/]+)\/([^/]+)$/, '/job/$1/$2/main/$3/$4'],
  [/^\/([^/]+)\/sites\/([^/]+)\/jobs\/([^/]+)\/([^/]+)\/(?:report|details)$/, '/job/$1/$2/main/$3/$4/details'],
  [/^\/([^/]+)\/sites\/([^/]+)\/log$/, '/log/$1/$2/main'],
  [/^\/([^/]+)\/sites\/([^/]+)\/status(\/.*)?$/, '/status/$1/$2/main$3'],
];

/** The H5 address equivalent to one of the successor; undefined if there is none. */
export function asPresentAddress(path: string): string | undefined {
  const found = SUCCESSOR.find(([pattern]) => pattern.test(path));
  return found === undefined ? undefined : path.replace(found[0], found[1]);
}

/** What an H5 path refers to. `rest`: what follows the name, without its extension. */
export type Place =
  | { readonly kind: 'list'; readonly org: string; readonly of: 'sites' | 'profiles' }
  | { readonly kind: 'aggregated'; readonly org: string; readonly site: string }
  | { readonly kind: 'document'; readonly org: string; readonly of: DocumentKind; readonly name: string; readonly rest: string }
  /** Everything about a branch of a site. */
  | {
      readonly kind: 'branch';
      readonly org: string;
      readonly site: string;
      readonly call: BranchCall;
      readonly ref: string;
      readonly rest: string;
    }
  | { readonly kind: 'sign-in'; readonly path: string }
  | { readonly kind: 'malformed' | 'unknown' };
export type DocumentKind = 'org' | 'sites' | 'profiles';
const BRANCH_CALLS = ['code', 'job', 'log', 'status', 'sidekick', 'ping'] as const;
type BranchCall = (typeof BRANCH_CALLS)[number];

export function placeOf(path: string): Place {
  if (!path.startsWith('/') || /\/\/|[\\<>\s]/.test(path)) return { kind: 'malformed' };
  if (/^\/(?:login|logout|profile|auth|idp)(?:\/|$)/.test(path)) return { kind: 'sign-in', path };
  const [first = '', org = '', ...further] = path.slice(1).split('/');
  const call = BRANCH_CALLS.find((one) => one === first);
  if (call !== undefined) {
    const [site = '', ref = '', ...rest] = further;
    const isWhole = site !== '' && (call === 'ping' || ref !== '');
    return isWhole ? { kind: 'branch', org, site, call, ref, rest: rest.join('/') } : { kind: 'unknown' };
  }
  return first === 'config' ? configPlace(org, further) : { kind: 'unknown' };
}

function configPlace(org: string, further: readonly string[]): Place {
  const [first = '', name = '', ...rest] = further;
  if (further.length === 0) return org.endsWith('.json') ? document(withoutJson(org), 'org', '', '') : { kind: 'unknown' };
  if (first === 'sites.json' || first === 'profiles.json')
    return { kind: 'list', org, of: withoutJson(first) === 'sites' ? 'sites' : 'profiles' };
  if (first === 'aggregated' && rest.length === 0 && name.endsWith('.json')) return { kind: 'aggregated', org, site: withoutJson(name) };
  if (first !== 'sites' && first !== 'profiles') return whole(further, (part) => document(org, 'org', '', part));
  if (rest.length === 0) return name.endsWith('.json') ? document(org, first, withoutJson(name), '') : { kind: 'unknown' };
  return whole(rest, (part) => document(org, first, name, part));
}

/** The parts with separate addresses below an organization's; other words there do not exist. */
const ORG_FOLDERS = ['users', 'groups', 'secrets', 'tokens', 'apiKeys', 'versions', 'access'];

function whole(rest: readonly string[], made: (part: string) => Place): Place {
  const part = rest.join('/');
  if (part === 'robots.txt' || /^content\/(?:query|sitemap)\.yaml$/.test(part)) return made(part);
  if (!part.endsWith('.json')) return { kind: 'unknown' };
  const place = made(withoutJson(part));
  const isGuess = place.kind === 'document' && place.of === 'org' && rest.length > 1 && !ORG_FOLDERS.includes(rest[0] ?? '');
  return isGuess ? { kind: 'unknown' } : place;
}

function document(org: string, of: DocumentKind, name: string, rest: string): Place {
  return { kind: 'document', org, of, name, rest };
}

function withoutJson(text: string): string {
  return text.replace(/\.json$/, '');
}
