import { DEFAULT_REF } from './names.ts';

/** Another address of the same call (docs/contract.md 8.1), in the newer form of the public API (`/{org}/sites/{site}/config.json`). */
export interface Alias {
  readonly path: `/${string}`;
  /** Path parameters that this form lacks: taken from the query if present, otherwise these defaults. */
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

/** The first match wins. */
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

/** Safe: both the pattern and its replacement start with "/". */
function rooted(path: string): `/${string}` {
  return path as `/${string}`;
}

/** A call of the public service that is not offered here (docs/contract.md 8.2). */
interface NotOffered {
  /** The first is the best known to clients. `{path*}` is the rest of the path, or nothing; `{topic}` is any but `code`. */
  readonly paths: readonly `/${string}`[];
  /** Any method if omitted. */
  readonly method?: 'POST';
  /** The start of a sentence. */
  readonly what: string;
  /** The end of a sentence. */
  readonly why: string;
  /** A sentence: how to do it instead. */
  readonly instead: string;
}

const NOTHING_COPIED = 'the hosts show what the authoring system delivers at that moment';

export const NOT_OFFERED: readonly NotOffered[] = [
  site('preview', 'Preview', `${NOTHING_COPIED}, so there is nothing to copy to a preview`, 'Open the page on the preview host'),
  site(
    'live',
    'Publishing',
    `${NOTHING_COPIED}, so there is nothing to publish or to take back`,
    'Publish the page, or take it back, in the authoring system',
  ),
  site(
    'cache',
    'Purging of caches',
    'the hosts request every page again, and caches in front of them belong to their operators',
    'Purge at the CDN',
  ),
  site(
    'index',
    'Indexing',
    'nothing here builds an index; query.yaml is kept for programs that do',
    'A program that does reads it at /helix-query.yaml of the live host',
  ),
  site(
    'sitemap',
    'Building of sitemaps',
    'nothing here builds a sitemap; sitemap.yaml is kept for programs that do',
    'A program that does reads it at /helix-sitemap.yaml of the live host',
  ),
  {
    paths: ['/snapshot/{org}/{site}/{ref}/{path*}', '/{org}/sites/{site}/snapshots/{path*}', '/{org}/sites/{site}/snapshot/{path*}'],
    what: 'A snapshot',
    why: `${NOTHING_COPIED}, so there are no copies to keep`,
    instead: 'Keep versions of pages in the authoring system',
  },
  site('media', 'Storing of media', 'media are in the authoring system', 'Upload them there'),
  {
    paths: ['/cron/{path*}', '/{org}/sites/{site}/cron/{path*}'],
    what: 'Publishing at a set time',
    why: `${NOTHING_COPIED}, so there is nothing to publish`,
    instead: 'Schedule it in the authoring system',
  },
  site('medialog', 'The log of media', 'media are in the authoring system', 'Read what became of them there'),
  {
    paths: ['/psi/{path*}', '/{org}/sites/{site}/psi/{path*}'],
    what: 'Measuring of pages',
    why: 'no page is opened here',
    instead: 'Measure the page on its live host by PageSpeed Insights itself',
  },
  {
    paths: ['/{org}/sites/{site}/source/{path*}', '/{org}/sites/{site}/contentproxy/{path*}'],
    what: 'Content',
    why: 'it is in the authoring system, which has its own address',
    instead: 'Read and write it there',
  },
  {
    paths: ['/discover/{path*}'],
    what: 'The search for sites by their content',
    why: 'sites are found by name',
    instead: 'List those of an organization at /config/{org}/sites.json',
  },
  {
    paths: ['/job/{org}/{site}/{ref}', '/{org}/sites/{site}/jobs', '/{org}/sites/{site}/job'],
    what: 'The list of topics of jobs',
    why: 'the code sync is the only background job',
    instead: 'Its jobs are at /job/{org}/{site}/{ref}/code',
  },
  {
    paths: [
      '/job/{org}/{site}/{ref}/{topic}/{path*}',
      '/{org}/sites/{site}/jobs/{topic}/{path*}',
      '/{org}/sites/{site}/job/{topic}/{path*}',
    ],
    what: 'A job of this topic',
    why: 'the code sync is the only background job',
    instead: 'Its jobs are at /job/{org}/{site}/{ref}/code',
  },
  {
    paths: ['/status/{org}/{site}/{ref}/{path*}', '/{org}/sites/{site}/status/{path*}'],
    method: 'POST',
    what: 'The status of many paths at once',
    why: 'nothing here knows all paths',
    instead: 'Ask for each path at GET /status/{org}/{site}/{ref}/{path}',
  },
  {
    paths: ['/log/{org}/{site}/{ref}', '/{org}/sites/{site}/log'],
    method: 'POST',
    what: 'Adding to the log',
    why: 'it records only what the service itself did',
    instead: 'Read it at GET /log/{org}/{site}/{ref}',
  },
];

/** The call that is not offered and that a request matches, if any. Takes the path without the query. */
export function notOfferedAt(method: string, path: string): NotOffered | undefined {
  const found = PATTERNS.find(({ patterns, call }) => (call.method ?? method) === method && patterns.some((form) => form.test(path)));
  return found?.call;
}

export function notOfferedSentence({ what, why, instead }: NotOffered): string {
  return `${what} is not offered here: ${why}. ${instead}.`;
}

function site(name: string, what: string, why: string, instead: string): NotOffered {
  return { paths: [`/${name}/{org}/{site}/{ref}/{path*}`, `/{org}/sites/{site}/${name}/{path*}`], what, why, instead };
}

const PATTERNS = NOT_OFFERED.map((call) => ({ call, patterns: call.paths.map(patternOf) }));

function patternOf(path: string): RegExp {
  const form = path
    .replace('/{path*}', '(?:/.*)?')
    .replace('{topic}', '(?!code(?:/|$))[^/]+')
    .replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${form}$`);
}
