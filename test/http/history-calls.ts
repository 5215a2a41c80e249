import { Version, VersionList } from '@repoless/contract/history.ts';
import { Patch } from '@repoless/contract/endpoint-parts.ts';
import type { TestAnswer } from '../support/ask.ts';
import { OPERATOR, siteBody } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';

const as = OPERATOR;

export const site = (name: string) => `/config/wknd/sites/${name}`;

/** A site on an external repository whose secret it holds. */
export function external(repo = 'shared'): Record<string, unknown> {
  const source = { type: 'byogit', url: 'https://sync.example.com', raw_url: 'https://raw.example.com', secretId: 'cm-byog' };
  return { code: { owner: '100', repo, source } };
}

/** Calls about histories, by an administrator; those that have to succeed reject where they do not. */
export function historyCalls(backend: () => TestBackend) {
  async function done(answer: Promise<TestAnswer>): Promise<TestAnswer> {
    const made = await answer;
    if (made.status >= 300) throw new Error(`${made.status} ${made.text}`);
    return made;
  }
  /** The whole site, as each of its versions shall be. */
  const put = (name: string, more: Readonly<Record<string, unknown>> = {}, query = '') =>
    done(backend().call('PUT', `${site(name)}.json?replace=true${query.replace('?', '&')}`, { as, body: siteBody('wknd', name, more) }));
  const remove = (name: string) => done(backend().call('DELETE', `${site(name)}.json`, { as }));
  const restore = (name: string, version: number, more: { as?: string; query?: string } = {}) =>
    backend().call('POST', `${site(name)}.json?restoreVersion=${version}${more.query ?? ''}`, { as: more.as ?? as });
  const list = async (base: string, query = '?limit=1000') =>
    VersionList.parse((await done(backend().call('GET', `${base}/versions.json${query}`, { as }))).json());
  const numbers = async (base: string) => (await list(base)).versions.map(({ version }) => version);
  const compare = async (base: string, from: number, to: number) => {
    const answer = await done(backend().call('GET', `${base}/versions/${from}...${to}.json`, { as }));
    return Patch.parse(answer.json());
  };
  const data = async (base: string, version: number) =>
    Version.parse((await done(backend().call('GET', `${base}/versions/${version}.json`, { as }))).json()).data;
  return { done, put, remove, restore, list, numbers, compare, data };
}
