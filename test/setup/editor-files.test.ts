import { describe, expect, test } from 'vitest';
import { checkSite } from '@repoless/core/checks/check-site.ts';
import type { FileProbe, Situation } from '@repoless/core/situation/situation.ts';
import { findingMessages } from '@repoless/core/messages/finding-messages.ts';
import { situation } from './situation-builder.ts';
import { english } from '@repoless/core/messages/english.ts';

const checks = english['site-check'].checks;

const HOST = 'https://main--summit--wknd.preview.example.com';
const RAW = 'https://raw.example.com/wknd/wknd/main';

const DONE = {
  name: 'job-2026-03-04-05-06-07-0a1b2c3d',
  state: 'stopped',
  time: '2026-03-04T05:06:07.000Z',
  branch: 'main',
  href: '',
} as const;

type Status = FileProbe['status'];

/** The check's finding if the preview host answers 404 for two files, and the repository answers as given. */
function said(
  repository: Readonly<Record<string, Status>>,
  more: Partial<Situation> = {},
): { readonly finding: string; readonly fix?: string | undefined } {
  const files = [
    ...['/head.html', '/component-models.json'].map((path) => ({ path, address: `${HOST}${path}`, status: 404 as const })),
    ...Object.entries(repository).map(([path, status]) => ({ path, address: `${RAW}${path}`, status })),
  ];
  const finding = checkSite(situation({ files, ...more })).find(({ check }) => check === 'editor-files');
  if (finding === undefined) throw new Error('The files are not checked.');
  return findingMessages(checks, finding);
}

describe('Files that the editor needs and the host lacks', () => {
  test('are to be added where the repository lacks them, and by their names alone', () => {
    expect(said({ '/head.html': 200, '/component-models.json': 404 })).toMatchObject({
      finding: 'Not served: head.html, component-models.json.',
      fix: 'Add the missing files to the main branch of the repository: component-models.json.',
    });
  });

  test('come with the next sync where the repository has them all', () => {
    expect(said({ '/head.html': 200, '/component-models.json': 200 }).fix).toMatch(/^No action needed\. The next code sync/);
  });

  test('do not come by themselves after a sync that ended well', () => {
    const codeSync: Situation['codeSync'] = {
      state: 'known',
      value: { state: 'stopped', topic: 'code', links: { self: '' }, jobs: [DONE] },
    };
    const { finding, fix } = said({ '/head.html': 200, '/component-models.json': 200 }, { codeSync });
    expect(finding).toBe('Not served: head.html, component-models.json. The repository has them.');
    expect(fix).toMatch(/^Sync the code:.*\.hlxignore/);
  });

  test.each([
    ['does not respond', 'unreachable'],
    ['shows nothing, as a private one does', 404],
    ['refuses', 401],
  ] as const)('are not to be added blindly where the repository %s', (_what, status) => {
    const { finding, fix } = said({ '/head.html': status, '/component-models.json': status });
    expect(finding).toMatch(/Couldn’t check whether the repository has them\.$/);
    expect(fix).toMatch(/^Check the main branch of the repository\./);
  });
});
