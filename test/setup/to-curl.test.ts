import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toCurl } from '@repoless/core/plan/to-curl.ts';
import type { Call } from '@repoless/core/situation/call.ts';

/** The arguments that a shell passes to curl. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\nSERVICE=https://service TOKEN=t AUTHORING_TOKEN=a CSRF_TOKEN=c\n${command}`;
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('A call as curl', () => {
  test('of the service carries the token as a variable', () => {
    const call: Call = {
      target: 'service',
      method: 'PUT',
      address: '/config/wknd/sites/summit.json',
      body: { type: 'json', value: { version: 1 } },
      ifNoneMatch: '*',
    };
    expect(toCurl(call)).toBe(
      [
        `curl -X PUT "$SERVICE"'/config/wknd/sites/summit.json'`,
        `-H "x-auth-token: $TOKEN"`,
        `-H 'if-none-match: *'`,
        `-H 'content-type: application/json'`,
        `-d '{"version":1}'`,
      ].join(' \\\n  '),
    );
    expect(toCurl(call, 'https://config.example.com')).toContain(`'https://config.example.com/config/wknd/sites/summit.json'`);
  });

  test('reaches curl as it is, whatever the values hold', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((value) => !value.includes('\0'));
    fc.assert(
      fc.property(text, text, (name, value) => {
        const call: Call = {
          target: 'authoring',
          method: 'POST',
          address: 'https://author/conf/x/_jcr_content',
          body: { type: 'form', fields: [[`./${name}`, value]] },
        };
        expect(argumentsOf(toCurl(call))).toEqual([
          '-X',
          'POST',
          'https://author/conf/x/_jcr_content',
          '-H',
          'authorization: Bearer a',
          '-H',
          'CSRF-Token: c',
          '--data-urlencode',
          `./${name}=${value}`,
        ]);
      }),
      { numRuns: 40 },
    );
  });
});
