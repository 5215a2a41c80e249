import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '@repoless/contract/errors.ts';
import { findingMessages } from '@repoless/core/messages/finding-messages.ts';
import { explainBlock } from '@repoless/core/messages/explain-failure.ts';
import { serviceChecks } from '@repoless/core/checks/service-checks.ts';
import { situation } from './situation-builder.ts';
import { english } from '@repoless/core/messages/english.ts';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';

const german = createCatalogues()('de');
const firstDe = await german.read('first-view');
const checksDe = (await german.read('site-check')).checks;
const checksEn = english['site-check'].checks;

const LANGUAGES = [
  [
    'English',
    english['first-view'],
    checksEn,
    /site of another organization/,
    /operator/,
    /host author\.example\.com belongs to another organization/,
  ],
  [
    'German',
    firstDe,
    checksDe,
    /Site einer anderen Organisation/,
    /Betreiber/,
    /Host author\.example\.com der Autorenumgebung gehört einer anderen Organisation/,
  ],
] as const;

describe.each(LANGUAGES)('A content root that a site of another organization has: %s', (_, panel, checks, whose, whom, whoseHost) => {
  it('is told without a name, and whom to ask', () => {
    const finding = taken({});
    const messages = findingMessages(checks, finding);
    const said = Object.values(messages).join(' ');
    expect(said).toMatch(whose);
    expect(said).toMatch(whom);
    expect(said).not.toMatch(/undefined|“”|„“/);
    const step = explainBlock(panel, 'content-root-taken', {});
    expect([step.why, step.turn]).toEqual([expect.stringMatching(whose), expect.stringMatching(whom)]);
  });

  it('is told by the host, where that belongs to another organization', () => {
    const data = { host: 'author.example.com' };
    const messages = findingMessages(checks, taken(data));
    const said = Object.values(messages).join(' ');
    expect(said).toMatch(whoseHost);
    expect(said).toMatch(whom);
    expect(said).not.toMatch(/undefined|“”|„“/);
    const step = explainBlock(panel, 'content-root-taken', data);
    expect([step.why, step.turn]).toEqual([expect.stringMatching(whoseHost), expect.stringMatching(whom)]);
  });

  it('is told by the name of the site where it is of the same organization', () => {
    const messages = findingMessages(checks, taken({ org: 'wknd', site: 'harbour' }));
    expect(Object.values(messages).join(' ')).toContain('harbour');
    expect(explainBlock(panel, 'content-root-taken', { site: 'harbour' }).why).toContain('harbour');
  });
});

/** The findings if the service refuses the site with this data. */
function taken(data: Readonly<Record<string, string>>) {
  const code: ErrorCode = 'CONTENT_ROOT_TAKEN';
  const problem = { type: 'about:blank', code, title: 'x', status: 409, detail: 'x', data };
  const call = { target: 'service', method: 'PUT', address: '/config/wknd/sites/summit.json' } as const;
  const answer = { state: 'failed', failure: { kind: 'refused', status: 409, problem } } as const;
  const found = serviceChecks(situation({ dryRun: { call, answer } })).find(({ check }) => check === 'content-root-single');
  if (found === undefined) throw new Error('The content root was not looked at.');
  return found;
}
