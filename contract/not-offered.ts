/** A call of the public service that is not offered here (docs/contract.md 8.2). */
export interface NotOffered {
  /** The first is the one that most clients know. `{path*}` is the rest of the path, or nothing; `{topic}` any but `code`. */
  readonly paths: readonly `/${string}`[];
  /** Left out: whatever the method. */
  readonly method?: 'POST';
  /** As it begins a sentence. */
  readonly what: string;
  /** As a sentence ends. */
  readonly why: string;
  /** Where it is done: a sentence. */
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

/** The call that a request means, where it is one of these. In: the path without the query. */
export function notOfferedAt(method: string, path: string): NotOffered | undefined {
  const found = FORMS.find(({ forms, call }) => (call.method ?? method) === method && forms.some((form) => form.test(path)));
  return found?.call;
}

/** The sentence of the refusal. */
export function notOfferedSentence({ what, why, instead }: NotOffered): string {
  return `${what} is not offered here: ${why}. ${instead}.`;
}

function site(name: string, what: string, why: string, instead: string): NotOffered {
  return { paths: [`/${name}/{org}/{site}/{ref}/{path*}`, `/{org}/sites/{site}/${name}/{path*}`], what, why, instead };
}

const FORMS = NOT_OFFERED.map((call) => ({ call, forms: call.paths.map(formOf) }));

function formOf(path: string): RegExp {
  const form = path
    .replace('/{path*}', '(?:/.*)?')
    .replace('{topic}', '(?!code(?:/|$))[^/]+')
    .replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${form}$`);
}
