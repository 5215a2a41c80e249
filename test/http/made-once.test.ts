import type { Headers } from '@repoless/contract/site-parts.ts';
import type { Site } from '@repoless/contract/site.ts';
import { folderPage } from '@repoless/service/delivery/find-path.ts';
import { pageAnswer, type PageServices } from '@repoless/service/delivery/page-answer.ts';
import { siteHeaders } from '@repoless/service/delivery/with-site-headers.ts';
import { describe, expect, it } from 'vitest';

// Hosts keep one document for all requests to a site: what a request looks up in it is put in order by the first of them.

/** The same object, and how often it was gone through. */
function watched<T extends object>(target: T): { readonly object: T; readonly walks: () => number } {
  let walks = 0;
  const object = new Proxy(target, {
    ownKeys: (of) => {
      walks += 1;
      return Reflect.ownKeys(of);
    },
  });
  return { object, walks: () => walks };
}

const SERVICES: PageServices = {
  authors: { send: async () => ({ status: 200, headers: {}, body: Buffer.from('<main>Page</main>') }) },
  token: undefined,
  time: 20_000,
  isKnownAuthor: () => false,
};

describe('However many requests come for a site', () => {
  it('its mappings are read once', async () => {
    let reads = 0;
    const paths = {
      get mappings() {
        reads += 1;
        return ['/content/site/:/'];
      },
    };
    const content = { source: { url: 'https://author.example.com/bin/x.delivery/acme/site/main', type: 'markup' as const } };
    const config: Site = { name: 'site', version: 1, created: '', lastModified: '', content, public: { paths } };
    for (const path of ['/', '/one', '/one', '/two.plain.html']) {
      const share = { hold: () => undefined, drop: () => undefined };
      expect((await pageAnswer(SERVICES, share, { org: 'acme', site: 'site', config }, path)).status).toBe(200);
    }
    expect(reads).toBe(1);
  });

  it('its patterns of headers are read once', () => {
    const { object, walks } = watched<Headers>({ '/**': [{ key: 'X-A', value: 'all' }], '/b/*': [{ key: 'x-a', value: 'b' }] });
    const seen = ['/a', '/b/c', '/a'].map((path) =>
      siteHeaders(object, { path, isGuarded: false, origin: () => undefined }).set.get('x-a'),
    );
    expect([seen, walks()]).toEqual([['all', 'b', 'all'], 1]);
  });

  it('its folders are looked through once', () => {
    const { object, walks } = watched({ '/products': '/product', '/products/new/': '/new', '': '/any' });
    const seen = ['/products', '/products/one', '/products/new/', '/products/new/one', '/productsX'].map((path) =>
      folderPage(path, object),
    );
    expect([seen, walks()]).toEqual([['/product', '/product', '/product', '/new', '/any'], 1]);
  });
});
