import type { BuildManagementEndpoints } from '@repoless/contract/build-management-endpoints.ts';
import { REPOSITORY_SECRET } from '@repoless/contract/secret.ts';
import { Refusal } from '../../domain/errors.ts';
import { callerName, noteOf, requireToken } from '../context.ts';
import type { BuildContext, BuildOperation } from '../context.ts';
import { findRepository } from '../repositories/find-repository.ts';
import { repositoryView } from '../repositories/repository-view.ts';
import type { RepositoryChange } from '../store/repositories.ts';
import type { StoredRepository } from '../store/stored-repository.ts';
import { hashOf } from './link-secret.ts';

/**
 * One site at a time (docs/contract.md 7.2): linking creates a new secret and immediately revokes the previous one, also for the same site. A site
 * that is not registered is refused first: the secret could not be stored, and the previous site would have lost its own.
 */
export const linkRepository: BuildOperation<BuildManagementEndpoints['linkRepository']> = async (context, { params, body }) => {
  requireReady(await findRepository(context, params));
  await context.service.requireSite(params.org, body.site, requireToken(context));
  const secret = context.newSecret();
  const before = await linked(context, params, body.site, secret);
  context.telling.begin();
  const repository = repositoryView(context, await findRepository(context, params));
  const [owner, repo] = [before.programId, before.id];
  const { url, rawUrl } = context.rules.codeSync;
  return {
    status: 200,
    body: {
      repository,
      secret,
      ...(before.link !== undefined && { revoked: { site: before.link.site } }),
      code: { owner, repo, source: { type: 'byogit', owner, repo, url, raw_url: rawUrl, secretId: REPOSITORY_SECRET } },
    },
  };
};

/** Returns the repository as it was at that moment, so that the revoked link can be named. */
async function linked(
  context: BuildContext,
  params: { readonly org: string; readonly repository: string },
  site: string,
  secret: string,
): Promise<StoredRepository> {
  for (;;) {
    const before = await findRepository(context, params);
    requireReady(before);
    const note = noteOf(context, params.org, { action: 'link-repository', site });
    if (await context.store.repositories.changeLink(before, linkTo(context, site, secret), note)) return before;
  }
}

/** What is stored of a link. */
export function linkTo(context: BuildContext, site: string, secret: string): RepositoryChange {
  const time = context.now().toISOString();
  return { link_site: site, linked: time, linked_by: callerName(context), secret_hash: hashOf(secret), last_modified: time };
}

function requireReady({ name, state }: StoredRepository): void {
  if (state === 'READY') return;
  const sentence = `The repository "${name}" is ${state}, not READY. Only a READY repository can be linked.`;
  throw new Refusal('REPOSITORY_NOT_READY', sentence, { data: { state } });
}

export const unlinkRepository: BuildOperation<BuildManagementEndpoints['unlinkRepository']> = async (context, { params }) => {
  for (;;) {
    const repository = await findRepository(context, params);
    const { link } = repository;
    if (link === undefined) return { status: 204 };
    const last_modified = context.now().toISOString();
    const change = { link_site: null, linked: null, linked_by: null, secret_hash: null, last_modified };
    const note = noteOf(context, params.org, { action: 'unlink-repository', site: link.site });
    if (!(await context.store.repositories.changeLink(repository, change, note))) continue;
    context.telling.begin();
    return { status: 204 };
  }
};
