import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Frame, FrameLocator, Page } from 'playwright-core';
import { PASSWORD } from '@repoless/sandbox/identity-provider/accounts.ts';
import { frameIn } from './panel.ts';
import { ADA, type World } from './world.ts';

const run = promisify(execFile);

/** Opens the rail from the console's header, in a column of 320 pixels. Returns its frame. `name`: its title, in the language of the page. */
export async function openRail(page: Page, name = 'Sync status'): Promise<FrameLocator> {
  await page.getByRole('toolbar', { name: 'Extensions' }).getByRole('button', { name }).click();
  await page.addStyleTag({ content: '.panes.with-rail { grid-template-columns: 1fr 1fr 320px !important; }' });
  const rail = page.getByRole('complementary', { name }).frameLocator('iframe');
  await rail.getByRole('heading', { level: 1, name }).waitFor();
  return rail;
}

/** The document in the rail, e.g. for axe. */
export function railDocument(page: Page): Promise<Frame> {
  return frameIn(page.getByRole('complementary', { name: 'Sync status' }));
}

/** Registers a site with the service, on the repository of the code host. */
export async function register({ sandbox, call }: World, site: string): Promise<void> {
  const { author, codeHost } = sandbox.addresses;
  await call('PUT', `/config/wknd/sites/${site}.json`, {
    version: 1,
    code: { owner: 'wknd', repo: 'wknd', source: { type: 'github', url: `${codeHost}/wknd/wknd` } },
    content: { source: { url: `${author}/bin/franklin.delivery/wknd/${site}/main`, type: 'markup', suffix: '.html' } },
    public: { paths: { mappings: [`/content/${site}/:/`], includes: [`/content/${site}/`] } },
  });
}

/** Enters a webhook at the git vendor of the sandbox, as its owner would. */
export async function enterWebhook({ sandbox }: World, address: string, secret: string): Promise<void> {
  const body = new URLSearchParams({ form: 'github-enterprise', address, secret });
  const answer = await fetch(`${sandbox.addresses.vendorHost}/northwind/storefront/hooks`, { method: 'POST', body });
  if (!answer.ok) throw new Error(`The vendor answers ${answer.status}: ${await answer.text()}`);
}

/** Commits a file and pushes it to the git vendor. Returns the commit. */
export async function push({ sandbox }: World, path: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-push-'));
  const host = sandbox.addresses.vendorHost.replace('http://', `http://${encodeURIComponent(ADA)}:${PASSWORD}@`);
  const git = (...messages: string[]) => run('git', ['-C', folder, '-c', 'user.name=Ada', '-c', `user.email=${ADA}`, ...messages]);
  try {
    await run('git', ['clone', '--quiet', `${host}/northwind/storefront.git`, folder]);
    await writeFile(join(folder, path), text);
    await git('commit', '--quiet', '--all', '--message', `Change ${path}`);
    await git('push', '--quiet');
    return (await git('rev-parse', 'HEAD')).stdout.trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
