import { describe, expect, it } from 'vitest';
import type { Profile, Site } from '@repoless/contract/site.ts';
import { aggregateSite } from '@repoless/contract/aggregate-site.ts';

const times = { created: '2026-01-01T00:00:00.000Z', lastModified: '2026-01-02T00:00:00.000Z' };
const site = (extra: Partial<Site>): Site => ({ version: 1, name: 'one', ...times, extends: { profile: 'base' }, ...extra });
const profile = (extra: Partial<Profile>): Profile => ({
  version: 1,
  name: 'base',
  created: '2020-01-01T00:00:00.000Z',
  lastModified: '2020-01-01T00:00:00.000Z',
  ...extra,
});
const header = (key: string, value: string) => ({ key, value });

describe('What holds for a site that extends a profile', () => {
  it('has the name and times of the site, and says what it extends', () => {
    expect(aggregateSite(site({}), profile({ title: 'Brand' }))).toEqual({ ...site({}), title: 'Brand' });
  });

  it('lays objects over each other by their keys', () => {
    const cdn = aggregateSite(
      site({ cdn: { prod: { host: 'www.one.example' } }, folders: { '/a': '/own' } }),
      profile({
        cdn: { prod: { type: 'fastly', host: 'www.example' }, live: { host: 'live.example' } },
        folders: { '/a': '/base', '/b': '/base' },
      }),
    );
    expect(cdn).toMatchObject({
      cdn: { prod: { type: 'fastly', host: 'www.one.example' }, live: { host: 'live.example' } },
      folders: { '/a': '/own', '/b': '/base' },
    });
  });

  it('has the lists of the site or of the profile, never both', () => {
    const merged = aggregateSite(
      site({ access: { admin: { role: { admin: ['ada@example.com'] } } }, public: { paths: { mappings: ['/content/one/:/'] } } }),
      profile({
        access: { admin: { role: { admin: ['otto@example.com'], author: ['*@example.com'] }, requireAuth: true } },
        public: { paths: { mappings: ['/content/base/:/'], includes: ['/content/base/'] }, brand: 'x' },
      }),
    );
    expect(merged.access?.admin).toEqual({ role: { admin: ['ada@example.com'], author: ['*@example.com'] }, requireAuth: true });
    expect(merged.public).toEqual({ paths: { mappings: ['/content/one/:/'], includes: ['/content/base/'] }, brand: 'x' });
  });

  it('has the code source of one of them whole', () => {
    const code = { owner: 'acme', repo: 'own', source: { type: 'github' as const, url: 'https://code.example/acme/own' } };
    const base = {
      owner: '1',
      repo: '2',
      source: { type: 'byogit' as const, url: 'https://git.example/api', raw_url: 'https://git.example/raw' },
    };
    expect(aggregateSite(site({ code }), profile({ code: base })).code).toEqual(code);
    expect(aggregateSite(site({}), profile({ code: base })).code).toEqual(base);
  });

  it('unites headers by path and name, whatever the case of the name', () => {
    const merged = aggregateSite(
      site({ headers: { '/**': [header('X-Frame-Options', 'DENY')], '/own': [header('x-own', '1')] } }),
      profile({ headers: { '/**': [header('x-frame-options', 'SAMEORIGIN'), header('content-security-policy', "default-src 'self'")] } }),
    );
    expect(merged.headers).toEqual({
      '/**': [header('content-security-policy', "default-src 'self'"), header('X-Frame-Options', 'DENY')],
      '/own': [header('x-own', '1')],
    });
  });
});
