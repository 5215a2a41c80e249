import type { BuildManagementEndpoints } from '@repoless/contract/build-management-endpoints.ts';
import type { Delivery, OneClickInput, OneClickOutcome } from '@repoless/contract/build-management.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { REPOSITORY_SECRET } from '@repoless/contract/secret.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { type BuildContext, type BuildOperation, callerName, noteOf, requireToken, hashOf } from '../context.ts';
import type { RepositoryChange, StoredRepository } from '../store/repositories.ts';
import { newDelivery } from '../webhooks/webhook-operations.ts';
import { runDelivery } from '../webhooks/run-delivery.ts';
import { refreshOrRefuse } from './refresh-mirror.ts';
import { findRepository, repositoryView, requireReady } from './repository-operations.ts';

/**
 * One site at a time (docs/contract.md 7.2): linking creates a new secret and immediately revokes the previous one, also for the same site.
 * An unregistered site is refused first: its secret could not be stored, and the previous site would have lost its own.
 */
export const linkRepository: BuildOperation<BuildManagementEndpoints['linkRepository']> = async (context, { params, body }) => {
  requireReady(await findRepository(context, params), NOT_READY);
  await context.service.requireSite(params.org, body.site, requireToken(context));
  const secret = context.newSecret();
  const before = await storeLink(context, params, body.site, secret);
  context.trailForwarder.start();
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

/** Stores the link. Returns the repository as it was before, so that the revoked link can be named. */
async function storeLink(
  context: BuildContext,
  params: { readonly org: string; readonly repository: string },
  site: string,
  secret: string,
): Promise<StoredRepository> {
  for (;;) {
    const before = await findRepository(context, params);
    requireReady(before, NOT_READY);
    const note = noteOf(context, params.org, { action: 'link-repository', site });
    if (await context.store.repositories.changeLink(before, linkChange(context, site, secret), note)) return before;
  }
}

function linkChange(context: BuildContext, site: string, secret: string): RepositoryChange {
  const time = context.now().toISOString();
  return { link_site: site, linked: time, linked_by: callerName(context), secret_hash: hashOf(secret), last_modified: time };
}

const NOT_READY = 'Only a READY repository can be linked.';

export const unlinkRepository: BuildOperation<BuildManagementEndpoints['unlinkRepository']> = async (context, { params }) => {
  for (;;) {
    const repository = await findRepository(context, params);
    const { link } = repository;
    if (link === undefined) return { status: 204 };
    const last_modified = context.now().toISOString();
    const change = { link_site: null, linked: null, linked_by: null, secret_hash: null, last_modified };
    const note = noteOf(context, params.org, { action: 'unlink-repository', site: link.site });
    if (!(await context.store.repositories.changeLink(repository, change, note))) continue;
    context.trailForwarder.start();
    return { status: 204 };
  }
};

/**
 * Creates a site in one click (docs/contract.md 7.7). Every call of the service is made with the caller's own token, so
 * that the service's checks decide. The site gets no administrators of its own. The first site of a repository is linked
 * to it and stores the secret, which is shown to no one; further sites share it.
 */
export const createSite: BuildOperation<BuildManagementEndpoints['createSite']> = async (context, { params, body }) => {
  const { org } = params;
  await requireCode(context, await findRepository(context, params));
  // Read again after waiting for the vendor.
  const repository = await findRepository(context, params);
  const token = requireToken(context);
  const { users } = await context.service.organization(org, token);
  const isFirst = repository.link === undefined;
  await context.service.createSite(org, body.site, configOf(context, repository, body, isFirst), token);
  if (isFirst) await linkFirst(context, repository, { org, site: body.site, token });
  const outcome: OneClickOutcome = {
    site: body.site,
    holdsSecret: isFirst,
    administeredBy: users.filter(({ roles }) => roles.includes('admin')).map(({ email }) => email),
    delivery: await syncFirst(context, repository),
  };
  return { status: 201, body: outcome };
};

/** Refuses a repository without code on `main` before anything is written: its site would show nothing. */
async function requireCode(context: BuildContext, repository: StoredRepository): Promise<void> {
  requireReady(repository, 'You can create a site once it is.');
  const { name } = repository;
  await refreshOrRefuse(context, repository, 0);
  const main = await context.objects.find(context.mirrors.pathOf(repository), `refs/heads/${DEFAULT_REF}`);
  if (main !== undefined) return;
  throw new Refusal('BRANCH_NOT_FOUND', `The repository "${name}" has no branch "${DEFAULT_REF}" yet. Push one, then create the site.`, {
    data: { branch: DEFAULT_REF },
  });
}

function configOf({ rules }: BuildContext, { programId: owner, id: repo }: StoredRepository, input: OneClickInput, isFirst: boolean) {
  const { url, rawUrl } = rules.codeSync;
  const source = { type: 'byogit', owner, repo, url, raw_url: rawUrl, ...(isFirst && { secretId: REPOSITORY_SECRET }) };
  const account = input.technicalAccount;
  return {
    version: 1,
    code: { owner, repo, source },
    content: { source: { url: input.contentUrl, type: 'markup', suffix: '.html' } },
    ...(account !== undefined && { access: { admin: { role: { config_admin: [account] }, requireAuth: 'auto' } } }),
  };
}

/** Revokes nothing: the repository must have no link, not even one made in the meantime. Refuses with PRECONDITION_FAILED. */
async function linkFirst(
  context: BuildContext,
  repository: StoredRepository,
  { org, site, token }: { readonly org: string; readonly site: string; readonly token: string },
): Promise<void> {
  const { name } = repository;
  const secret = context.newSecret();
  const note = noteOf(context, org, { action: 'link-repository', site });
  if (!(await context.store.repositories.changeLink(repository, linkChange(context, site, secret), note))) {
    const { link } = await findRepository(context, { org, repository: repository.id });
    const [change, next] =
      link === undefined
        ? ['linked and unlinked', 'Then create it again.']
        : [`linked to the site "${link.site}"`, `Create it again once "${link.site}" uses the repository.`];
    const sentence = `The site "${site}" is registered, but in the meantime the repository "${name}" was ${change}. Remove the site "${site}". ${next}`;
    throw new Refusal('PRECONDITION_FAILED', sentence);
  }
  context.trailForwarder.start();
  try {
    await context.service.setSecret(org, site, secret, token);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const sentence = `The site "${site}" is registered, but the secret of the repository "${name}" could not be stored with it. Link the repository to the site again.`;
    throw new Refusal(error.code, sentence, { detail: `${sentence} The reason: ${error.detail ?? error.message}`, cause: error });
  }
}

/** The sync that a push would start; its outcome is in the delivery. */
async function syncFirst(context: BuildContext, repository: StoredRepository): Promise<Delivery> {
  const delivery: Delivery = {
    ...newDelivery(context, 'site created'),
    changes: [{ branch: DEFAULT_REF, type: 'updated' }],
    user: callerName(context),
  };
  await context.store.deliveries.add(repository.id, delivery);
  // The site exists: this waits in the queue of the vendor's events, which refuses none.
  await context.transfers.run(repository.org, () => runDelivery(context, repository, delivery));
  return (await context.store.deliveries.find(repository.id, delivery.id)) ?? delivery;
}
