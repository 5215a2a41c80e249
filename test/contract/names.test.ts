import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedDelivery, parseDeliveryAddress, parseSiteHost, printDeliveryAddress, siteAddress } from '@repoless/contract/addresses.ts';
import { parseMapping, printMapping } from '@repoless/contract/mappings.ts';
import { hostLabelProblem, nameProblem, OrgName, Ref, sanitizeRef } from '@repoless/contract/names.ts';

const word = fc.stringMatching(/^[a-z0-9]{1,6}$/);
const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('-'));
const path = fc.array(fc.stringMatching(/^[a-zA-Z0-9_-]{1,8}$/), { maxLength: 4 }).map((segments) => `/${segments.join('/')}`);
const domains = { protocol: 'https', preview: 'preview.example', live: 'live.example:8443' } as const;

describe('names', () => {
  it.each(['Acme', 'a--b', '-a', 'a-', 'a_b', 'a.b', '', 'ä'])('refuses "%s" with a message', (value) => {
    expect(nameProblem('site', value)).toMatch(/site name/);
    expect(OrgName.safeParse(value).success).toBe(false);
  });

  it('suggests a valid name for an upper-case one', () => {
    expect(nameProblem('organization', 'Acme')).toContain('write "acme"');
  });

  it.each([
    ['feature/Café-Menü', 'feature-cafe-menu'],
    // The same name as some keyboards and file systems encode it.
    ['feature/Cafe\u0301-Menu\u0308', 'feature-cafe-menu'],
    ['Größe_2', 'gro-e-2'],
    ['ÅNGSTRÖM', 'angstrom'],
    ['--Übung//İzmir--', 'ubung-izmir'],
    ['分支', ''],
  ])('converts the branch "%s" as the public service does: "%s"', (branch, ref) => {
    expect(sanitizeRef(branch)).toBe(ref);
  });

  it('converts every branch name to a valid part of a host, or to nothing', () => {
    fc.assert(
      fc.property(fc.string(), (branch) => {
        const ref = sanitizeRef(branch);
        return ref === '' || Ref.safeParse(ref).success;
      }),
    );
  });

  it('allows a host label of 63 characters and refuses one of 64', () => {
    expect(hostLabelProblem('main', 'a'.repeat(50), 'b'.repeat(5))).toBeUndefined();
    expect(hostLabelProblem('main', 'a'.repeat(51), 'b'.repeat(5))).toContain('64 characters');
  });

  it('refuses a host label that DNS reserves for internationalized names', () => {
    expect(hostLabelProblem('xn', '0', 'a')).toContain('begins with "xn--"');
    expect(hostLabelProblem('xn-1', '0', 'a')).toBeUndefined();
  });
});

describe('addresses', () => {
  it('parses every host that it formats', () => {
    fc.assert(
      fc.property(name, name, name, fc.constantFrom('preview', 'live'), (ref, site, org, tier) => {
        fc.pre(hostLabelProblem(ref, site, org) === undefined);
        const host = new URL(siteAddress(domains, tier, { ref, site, org })).host;
        expect(parseSiteHost(host, domains)).toEqual({ tier, ref, site, org });
      }),
    );
  });

  it('parses every delivery address that it formats', () => {
    fc.assert(
      fc.property(name, name, name, (org, site, ref) => {
        const address = { author: 'https://author-p1-e2.example.com', connector: 'franklin', org, site, ref };
        expect(parseDeliveryAddress(printDeliveryAddress(address))).toEqual(address);
      }),
    );
  });

  it('parses a delivery address with a query, and preserves the query in a changed one', () => {
    const address = 'https://author-p1-e2.example.com/bin/franklin.delivery/wknd/summit/main';
    expect(parseDeliveryAddress(`${address}?tenant=a`)).toEqual(parseDeliveryAddress(address));
    expect(changedDelivery(`${address}?tenant=a%2Fb`, { site: 'other' })).toBe(`${address.replace('summit', 'other')}?tenant=a%2Fb`);
    expect(changedDelivery('https://www.example.com/?a=b', { site: 'other' })).toBeUndefined();
  });

  it.each(['main--site.preview.example', 'preview.example', 'a--b--c.elsewhere.example', 'main--a--b--c.preview.example'])(
    'does not recognize %s as a site host',
    (host) => {
      expect(parseSiteHost(host, domains)).toBeUndefined();
    },
  );
});

describe('mappings', () => {
  it('parses every mapping that it formats', () => {
    fc.assert(
      fc.property(path, path, (content, publicPath) => {
        expect(parseMapping(printMapping({ content, public: publicPath }))).toEqual({ content, public: publicPath });
      }),
    );
  });
});
