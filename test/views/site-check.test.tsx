import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { checkSite } from '@repoless/core/checks/check-site.ts';
import { SiteCheck } from '@repoless/extension/features/page-properties/SiteCheck.tsx';
import { previewFrameAddress } from '@repoless/extension/features/page-properties/SetUp.tsx';
import { SettingRows } from '@repoless/extension/features/page-properties/SettingRows.tsx';
import { proposeChoices } from '@repoless/core/plan/choices.ts';
import { planSetup } from '@repoless/core/plan/plan-setup.ts';
import type { Site } from '@repoless/contract/site.ts';
import type { Situation } from '@repoless/core/situation/situation.ts';
import { registered, situation } from '../setup/situation-builder.ts';
import { renderInSurface } from './in-surface.tsx';
import { violations } from './render-page.tsx';

const SITE = registered({
  code: { owner: 'wknd', repo: 'wknd' },
  content: { source: { url: 'https://author-p1-e2.example.com/bin/franklin.delivery/wknd/summit/main', type: 'markup', suffix: '.html' } },
  public: { paths: { mappings: ['/content/summit/:/'], includes: ['/content/summit/'] } },
  access: { admin: { role: { admin: ['ada@example.com'], config_admin: ['id@techacct.example.com'] } } },
});
const host = 'https://main--summit--wknd.preview.example.com';
const served = (status: number) => ({ path: '/head.html', address: `${host}/head.html`, status });

function show(read: Situation, locale = 'en-US') {
  return renderInSurface(
    <SiteCheck
      findings={checkSite(read)}
      ofCaller={[]}
      plan={planSetup(read, proposeChoices(read))}
      isFolded={false}
      reading={false}
      onRead={() => undefined}
    />,
    { locale },
  ).person;
}

describe('“What do you see?”', () => {
  test('lists only failed checks as likely causes, each with advice', async () => {
    const person = show({ ...SITE, files: [served(404)] });
    await person.click(await screen.findByRole('radio', { name: 'The editor shows a white page' }));
    const causes = within(screen.getByRole('list', { name: 'Most likely cause' })).getAllByRole('listitem');
    const shown = causes.map((cause) => within(cause).getByRole('heading').textContent);
    expect(shown).toContain('Files that the editor needs');
    expect(shown).not.toContain('Registration');
    for (const cause of causes) {
      if (within(cause).queryByRole('link', { name: /^Fix: / }) === null) within(cause).getByText('What to do:');
      expect(within(cause).queryByText('Passed')).toBeNull();
      expect(within(cause).queryByText('Unknown')).toBeNull();
    }
    screen.getByText(/^Possible cause, but not checked/);
    expect(await violations()).toEqual([]);
  });

  test('reports that no cause was found, and what to do next', async () => {
    const address = (tier: string) => `https://main--summit--wknd.${tier}.example.com/config.json`;
    const config = SITE.site.state === 'known' ? (SITE.site.value.config.public ?? {}) : {};
    const probe = (tier: string) => ({ address: address(tier), status: 200, answer: { state: 'known' as const, value: config } });
    const well: Situation = { ...SITE, files: [served(200)], preview: probe('preview'), live: probe('live') };
    const person = show({ ...well, settings: { ...well.settings, projectType: { value: '4', source: { kind: 'derived' } } } });
    await person.click(await screen.findByRole('radio', { name: 'The editor shows a white page' }));
    expect(screen.queryByRole('list', { name: 'Most likely cause' })).toBeNull();
    const note = screen.getByRole('note');
    within(note).getByText(/^No cause was found; 2 usual causes couldn’t be checked\.$/);
    within(note).getByText(/^Reload the editor without its cache\./);
    screen.getByRole('list', { name: /^Possible cause, but not checked \(2\)$/ });
    expect(await violations()).toEqual([]);
  });

  test('is shown in German', async () => {
    const person = show({ ...SITE, files: [served(404)] }, 'de-CH');
    await person.click(await screen.findByRole('radio', { name: 'Der Editor zeigt eine weiße Seite' }));
    screen.getByRole('list', { name: 'Wahrscheinlichste Ursache' });
  });
});

test('missing settings are listed in one sentence instead of empty lines', async () => {
  const bare = situation();
  const missing = { source: { kind: 'missing' as const } };
  const settings = { ...bare.settings, projectType: missing, organization: missing, siteName: missing, technicalAccount: missing };
  renderInSurface(
    <SettingRows
      situation={{ ...bare, settings }}
      choices={{ ...proposeChoices(bare), organization: '', siteName: '', technicalAccount: '' }}
    />,
  );
  await screen.findByText('Not set: Project type, Organization, Site name, Technical account, Delivery address.');
  expect(screen.queryByText('Not set')).toBeNull();
  screen.getByText('Cloud configuration');
});

test('the start page is framed if its preview host is open and allows it, after the page exists', () => {
  if (SITE.site.state !== 'known') throw new Error('The site is not registered.');
  const { value } = SITE.site;
  const pictured = (more: Partial<Site>, status = 200) =>
    previewFrameAddress({
      ...SITE,
      site: { state: 'known', value: { ...value, config: { ...value.config, ...more } } },
      page: { address: `${host}/`, status },
    });
  expect(pictured({})).toBe(`${host}/`);
  expect(pictured({}, 404)).toBeUndefined();
  expect(pictured({ access: { preview: { allow: ['*@example.com'] } } })).toBeUndefined();
  expect(pictured({ headers: { '/**': [{ key: 'X-Frame-Options', value: 'DENY' }] } })).toBeUndefined();
  expect(pictured({ headers: { '/**': [{ key: 'content-security-policy', value: "frame-ancestors 'self'" }] } })).toBeUndefined();
});
