import { describe, expect, it } from 'vitest';
import { failureOf } from '@repoless/core/authoring/read-sling.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { english } from '@repoless/core/messages/english.ts';

const en = english['first-view'];

describe('a write that the authoring system refuses', () => {
  it.each([
    ['an older Sling, for access', 500, "Resource at '/content/a' is not modifiable.", 403, /^You don’t have permission/],
    ['a repository, for access', 500, 'OakAccess0000: Access denied', 403, /^You don’t have permission/],
    ['a newer Sling, for values and for access', 422, 'invalid payload', 422, /You may lack permission, or somebody locked/],
    [
      'a newer Sling, for anything else',
      409,
      'repository state conflicting with request',
      409,
      /You may lack permission, or somebody locked/,
    ],
    ['any Sling, for what it did not foresee', 500, 'java.lang.IllegalStateException', 500, /refused the request \(status 500\)/],
  ])('is explained: %s', (_who, status, text, shown, sentence) => {
    const failure = failureOf({ status, headers: new Headers({ 'content-type': 'application/json' }), text });
    expect(failure).toMatchObject({ kind: 'refused', status: shown, system: 'authoring' });
    expect(explainFailure(en, failure).sentence).toMatch(sentence);
  });
});
