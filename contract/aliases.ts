import { DEFAULT_REF } from './names.ts';

/** Another address of the same call (docs/contract.md 8.1), in the newer form of the public API (`/{org}/sites/{site}/config.json`). */
export interface Alias {
  readonly path: `/${string}`;
  /** Path parameters that this form does not have: taken from the query where it names them, else these. */
  readonly defaults?: Readonly<Record<string, string>>;
}

/**
 * The other addresses of a call. Takes the path of its row. Returns paths with the same parameters, except those with defaults and those that are
 * ignored. A row's own address wins over every alias.
 */
export function aliasesOf(path: string): Alias[] {
  const form = FORMS.find(({ from }) => from.test(path));
  if (form === undefined) return [];
  const { from, to, defaults } = form;
  return to.map((other) => ({ path: rooted(path.replace(from, other)), ...(defaults === undefined ? {} : { defaults }) }));
}

interface Form {
  readonly from: RegExp;
  readonly to: readonly `/${string}`[];
  readonly defaults?: Readonly<Record<string, string>>;
}

/** The first that fits counts. */
const FORMS: readonly Form[] = [
  { from: /^\/config\/\{org\}\.json$/, to: ['/{org}/config.json'] },
  { from: /^\/config\/\{org\}\/(sites|profiles)\.json$/, to: ['/{org}/$1', '/{org}/$1.json', '/{org}/config/$1.json'] },
  { from: /^\/config\/\{org\}\/sites\/\{site\}\.json$/, to: ['/{org}/sites/{site}/config.json'] },
  {
    from: /^\/config\/\{org\}\/sites\/\{site\}\/content\/(query|sitemap)\.yaml$/,
    to: ['/{org}/sites/{site}/config/content/$1.yaml', '/{org}/sites/{site}/config/$1.yaml'],
  },
  { from: /^\/config\/\{org\}\/sites\/\{site\}\//, to: ['/{org}/sites/{site}/config/'] },
  { from: /^\/config\/\{org\}\/profiles\/\{profile\}\.json$/, to: ['/{org}/profiles/{profile}/config.json'] },
  { from: /^\/config\/\{org\}\/profiles\/\{profile\}\//, to: ['/{org}/profiles/{profile}/config/'] },
  {
    from: /^\/config\/\{org\}\/aggregated\/\{site\}\.json$/,
    to: ['/{org}/aggregated/{site}/config.json', '/{org}/config/aggregated/{site}.json'],
  },
  {
    from: /^\/config\/\{org\}\/aggregated\/\{site\}\//,
    to: ['/{org}/aggregated/{site}/config/', '/{org}/aggregated/{site}/', '/{org}/config/aggregated/{site}/'],
  },
  { from: /^\/config\/\{org\}\//, to: ['/{org}/config/'] },
  {
    from: /^\/job\/\{org\}\/\{site\}\/\{ref\}\/(.*)\/details$/,
    to: ['/{org}/sites/{site}/jobs/$1/details', '/{org}/sites/{site}/jobs/$1/report', '/{org}/sites/{site}/job/$1/details'],
    defaults: { ref: DEFAULT_REF },
  },
  {
    from: /^\/job\/\{org\}\/\{site\}\/\{ref\}\//,
    to: ['/{org}/sites/{site}/jobs/', '/{org}/sites/{site}/job/'],
    defaults: { ref: DEFAULT_REF },
  },
  { from: /^\/code\/\{org\}\/\{site\}\//, to: ['/{org}/sites/{site}/code/', '/{org}/repos/{site}/code/'] },
  {
    from: /^\/status\/\{org\}\/\{site\}\/\{ref\}\/(\{path\*?\})$/,
    to: ['/{org}/sites/{site}/status/$1', '/status/{org}/{site}/{ref}/', '/{org}/sites/{site}/status/'],
    defaults: { ref: DEFAULT_REF, path: '' },
  },
  {
    from: /^\/sidekick\/\{org\}\/\{site\}\/\{ref\}\/config\.json$/,
    to: ['/{org}/sites/{site}/sidekick', '/{org}/sites/{site}/sidekick/config.json'],
    defaults: { ref: DEFAULT_REF },
  },
  { from: /^\/log\/\{org\}\/\{site\}\/\{ref\}$/, to: ['/{org}/sites/{site}/log'], defaults: { ref: DEFAULT_REF } },
  { from: /^\/status\/\{org\}\/\{site\}\/\{ref\}$/, to: ['/{org}/sites/{site}/status'], defaults: { ref: DEFAULT_REF } },
  {
    from: /^\/login\/\{org\}\/\{site\}\/\{ref\}$/,
    to: ['/{org}/sites/{site}/login', '/login/{org}/{site}'],
    defaults: { ref: DEFAULT_REF },
  },
  { from: /^\/(profile|logout)$/, to: ['/$1/{org}/{site}/{ref}', '/$1/{org}/{site}', '/$1/{org}'] },
  { from: /^\/login$/, to: ['/login/{org}'] },
];

/** Safe: what is replaced begins with "/", and so does what it is replaced by. */
function rooted(path: string): `/${string}` {
  return path as `/${string}`;
}
