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
}

const NOTHING_COPIED = 'the hosts show what the authoring system delivers at that moment';

export const NOT_OFFERED: readonly NotOffered[] = [
  site('preview', 'Preview', `${NOTHING_COPIED}, so there is nothing to copy to a preview`),
  site('live', 'Publishing', `${NOTHING_COPIED}, so there is nothing to publish or to take back`),
  site('cache', 'Purging of caches', 'the hosts request every page again, and caches in front of them belong to their operators'),
  site('index', 'Indexing', 'nothing here builds an index; query.yaml is kept for programs that do'),
  site('sitemap', 'Building of sitemaps', 'nothing here builds a sitemap; sitemap.yaml is kept for programs that do'),
  {
    paths: ['/snapshot/{org}/{site}/{ref}/{path*}', '/{org}/sites/{site}/snapshots/{path*}'],
    what: 'A snapshot',
    why: `${NOTHING_COPIED}, so there are no copies to keep`,
  },
  site('media', 'Storing of media', 'media are in the authoring system'),
  site('medialog', 'The log of media', 'media are in the authoring system'),
  site('psi', 'Measuring of pages', 'no page is opened here'),
  {
    paths: ['/{org}/sites/{site}/source/{path*}', '/{org}/sites/{site}/contentproxy/{path*}'],
    what: 'Content',
    why: 'it is in the authoring system, which has its own address',
  },
  { paths: ['/discover/{path*}'], what: 'The search for sites by their content', why: 'sites are found by name' },
  {
    paths: [
      '/job/{org}/{site}/{ref}/{topic}/{path*}',
      '/{org}/sites/{site}/jobs/{topic}/{path*}',
      '/{org}/sites/{site}/job/{topic}/{path*}',
    ],
    what: 'A job of this topic',
    why: 'the code sync is the only background job',
  },
  {
    paths: ['/status/{org}/{site}/{ref}/{path*}', '/{org}/sites/{site}/status/{path*}'],
    method: 'POST',
    what: 'The status of many paths at once',
    why: 'GET answers it path by path, and nothing here knows all paths',
  },
  {
    paths: ['/log/{org}/{site}/{ref}', '/{org}/sites/{site}/log'],
    method: 'POST',
    what: 'Adding to the log',
    why: 'it records only what the service itself did',
  },
];

/** The call that a request means, where it is one of these. In: the path without the query. */
export function notOfferedAt(method: string, path: string): NotOffered | undefined {
  const found = FORMS.find(({ forms, call }) => (call.method ?? method) === method && forms.some((form) => form.test(path)));
  return found?.call;
}

/** The sentence of the refusal. */
export function notOfferedSentence({ what, why }: NotOffered): string {
  return `${what} is not offered here: ${why}.`;
}

function site(name: string, what: string, why: string): NotOffered {
  return { paths: [`/${name}/{org}/{site}/{ref}/{path*}`, `/{org}/sites/{site}/${name}/{path*}`], what, why };
}

const FORMS = NOT_OFFERED.map((call) => ({ call, forms: call.paths.map(formOf) }));

function formOf(path: string): RegExp {
  const form = path
    .replace('/{path*}', '(?:/.*)?')
    .replace('{topic}', '(?!code(?:/|$))[^/]+')
    .replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${form}$`);
}
