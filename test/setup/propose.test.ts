import { hostLabelProblem, nameProblem } from '@repoless/contract/names.ts';
import { proposeSiteName } from '@repoless/core/situation/target.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

describe('The proposed site name', () => {
  test.each([
    ['/content/wknd', 'wknd'],
    ['/content/wknd/ch/fr', 'wknd-ch-fr'],
    ['/content/WKND/language-masters/en_US', 'wknd-language-masters-en-us'],
    ['/content', ''],
  ])('of %s is "%s"', (path, name) => {
    expect(proposeSiteName(path)).toBe(name);
  });

  test('is a site name that fits into a host name, or nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), fc.stringMatching(/^[a-z0-9]{1,20}$/), (path, organization) => {
        const name = proposeSiteName(`/content/${path}`, organization);
        if (name === '') return;
        expect(nameProblem('site', name)).toBeUndefined();
        expect(hostLabelProblem('main', name, organization)).toBeUndefined();
      }),
    );
  });
});
