import { LIMITS } from '@repoless/contract/limits.ts';
import type { Tier } from '@repoless/contract/addresses.ts';
import type { CodeFiles } from '../code/rules/ports.ts';
import { createFairShare } from '../domain/fair-share.ts';
import type { ProbedPath, PathResult, PathProbe } from '../sites/status/path-probe.ts';
import { findPath } from './find-path.ts';
import type { PageServices } from './page-answer.ts';
import { pathProblem } from './path-problem.ts';
import type { ReadyAnswer } from './site-answers.ts';
import { yamlAnswer } from './yaml-answer.ts';

/** What the hosts answer for a path, without anybody having been there: a page is asked of its content source, and thrown away. */
export function createPathProbe({ code, pages }: { readonly code: CodeFiles; readonly pages: PageServices }): PathProbe {
  const turns = createFairShare(LOOKS);
  return (place) =>
    turns.run(place.org, async () => {
      const own = ownFile(place);
      if (own !== undefined) return own;
      const found = await look(code, pages, place);
      return { preview: found, live: found };
    });
}

/** Each may hold a page, so they are few. */
const LOOKS = { atOnce: LIMITS.looksAtOnce, perShare: LIMITS.looksOfOrg, waitingPerShare: 20, waiting: 200, called: 'paths' };
/** Nothing is kept of a page. */
const NO_ROOM = { hold: () => undefined, drop: () => undefined };

/** What every host has of its own. */
function ownFile({ path, config }: ProbedPath): Readonly<Record<Tier, PathResult>> | undefined {
  const there = (isThere: boolean): PathResult => (isThere ? { status: 200, from: 'configuration' } : { status: 404 });
  if (path === '/robots.txt') return { preview: there(true), live: there(true) };
  const isOwn = path === '/config.json' ? config.public !== undefined : yamlAnswer(config, path) !== undefined;
  if (path !== '/config.json' && !isOwn) return undefined;
  return { preview: there(isOwn), live: there(isOwn) };
}

async function look(code: CodeFiles, pages: PageServices, place: ProbedPath): Promise<PathResult> {
  const { path } = place;
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const problem = encoded.length > LIMITS.pagePath ? `The path has more than ${LIMITS.pagePath} characters.` : pathProblem(encoded);
  if (problem !== undefined) return { status: 400, error: problem };
  const found = await findPath({ code, pages }, { ...place, share: NO_ROOM }, path);
  if (found.from === 'nowhere') return { status: found.answer.status, ...named('error', found.answer, 'x-error') };
  const changed = found.from === 'mapping' && found.answer.lastModified !== undefined ? { lastModified: found.answer.lastModified } : {};
  if (found.path !== path) return { status: 200, from: 'folder', source: found.path, ...changed };
  return { status: 200, from: found.from, ...(found.from === 'mapping' && named('source', found.answer, 'x-content-source')), ...changed };
}

function named(name: 'source' | 'error', { headers }: ReadyAnswer, header: string): Partial<PathResult> {
  const at = headers.indexOf(header);
  const value = at < 0 ? undefined : headers[at + 1];
  return value === undefined ? {} : { [name]: value };
}
