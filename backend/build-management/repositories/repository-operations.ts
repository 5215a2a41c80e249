import type { BuildManagementEndpoints } from '@repoless/contract/build-management-endpoints.ts';
import { CHALLENGE_FILE, type ExternalRepository, isAlphaVendor, type RepositoryStatus } from '@repoless/contract/build-management.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { type BuildContext, type BuildOperation, callerName, noteOf, type Services, accessTokenOf, sealFor } from '../context.ts';
import type { StoredRepository, StoredWebhook } from '../store/repositories.ts';
import { unreachable, startCheck } from './refresh-mirror.ts';

export const listRepositories: BuildOperation<BuildManagementEndpoints['listRepositories']> = async (context, { params }) => {
  const { repositories } = context.store;
  const found = await repositories.list(params.org);
  return {
    status: 200,
    body: { codeSync: context.rules.codeSync, repositories: found.map((one) => repositoryView(context, one)) },
  };
};

export const getRepository: BuildOperation<BuildManagementEndpoints['getRepository']> = async (context, { params }) => ({
  status: 200,
  body: repositoryView(context, await findRepository(context, params)),
});

/**
 * For the configuration service: a repository by the owner and name that sites use. If a branch is given, the git vendor is queried for it.
 */
export const getRepositoryStatus: BuildOperation<BuildManagementEndpoints['getRepositoryStatus']> = async (
  context,
  { params, query, headers },
) => {
  const { org, owner, repo } = params;
  if (!context.isService(headers['authorization'])) {
    throw new Refusal('NOT_AUTHENTICATED', 'not authenticated', {
      detail: 'Send the key of the setting BUILD_MANAGEMENT_KEY as "authorization: Bearer …".',
    });
  }
  const found = await context.store.repositories.byCode(owner, repo);
  if (found?.org !== org) {
    const sentence = `The organization "${org}" has no external repository ${repo} of program ${owner}. Onboard it, or correct owner and repo.`;
    throw new Refusal('EXTERNAL_REPOSITORY_NOT_FOUND', sentence, { data: { org, repository: `${owner}/${repo}` } });
  }
  const { programId, id: repositoryId, name, state, problem } = found;
  const body: RepositoryStatus = { programId, repositoryId, name, state, ...(problem !== undefined && { problem }) };
  if (query.branch === undefined || state !== 'READY') return { status: 200, body };
  const commit = (await branchesOf(context, found)).find((branch) => branch.name === query.branch)?.commit;
  return { status: 200, body: { ...body, ...(commit === undefined ? { branch: 'missing' } : { branch: 'found', commit }) } };
};

export const onboardRepository: BuildOperation<BuildManagementEndpoints['onboardRepository']> = async (context, { params, body }) => {
  if (!context.rules.allowHttp && new URL(body.cloneUrl).protocol !== 'https:') throw notEncrypted();
  const key = context.newId();
  const repository = await context.additions.run(params.org, async () => {
    await requireCapacity(context, params.org, body.cloneUrl);
    const added = {
      org: params.org,
      programId: body.programId,
      name: body.name,
      cloneUrl: body.cloneUrl,
      vendor: body.vendor,
      key,
      accessToken: sealFor(context, { org: params.org, key }, 'access-token', body.accessToken),
      state: 'added' as const,
      challenge: body.challenge === true ? context.newSecret() : undefined,
      created: context.now().toISOString(),
      createdBy: callerName(context),
    };
    return await context.store.repositories.add(added, noteOf(context, params.org, { action: 'onboard-repository' }));
  });
  if (repository === undefined) {
    throw new Refusal('REPOSITORY_TAKEN', `The organization ${params.org} has already onboarded ${body.cloneUrl}. Use that repository.`, {
      data: { cloneUrl: body.cloneUrl },
    });
  }
  context.trailForwarder.start();
  startCheck(context, repository);
  const location = `${context.rules.publicAddress}/organizations/${params.org}/repositories/${repository.id}`;
  return { status: 201, body: repositoryView(context, repository), headers: { location } };
};

/** Restarts the check of a repository, with a new access token if one is given. Link and webhook stay. */
export const retryRepository: BuildOperation<BuildManagementEndpoints['retryRepository']> = async (context, { params, body }) => {
  const repository = await findRepository(context, params);
  const token = body?.accessToken;
  const change = {
    state: 'added',
    problem: null,
    last_modified: context.now().toISOString(),
    ...(token !== undefined && { access_token: sealFor(context, repository, 'access-token', token) }),
  };
  const action = token === undefined ? 'retry-repository' : 'set-access-token';
  await context.store.repositories.restartCheck(repository.id, change, noteOf(context, params.org, { action }));
  context.trailForwarder.start();
  const started = await findRepository(context, params);
  startCheck(context, started);
  return { status: 202, body: repositoryView(context, started) };
};

/** Also removes its secret, its webhook and its mirror. */
export const removeRepository: BuildOperation<BuildManagementEndpoints['removeRepository']> = async (context, { params }) => {
  const repository = await findRepository(context, params);
  const site = repository.link?.site;
  await context.store.repositories.remove(repository.id, noteOf(context, params.org, { action: 'remove-repository', site }));
  context.trailForwarder.start();
  context.checks.remove(repository.org, repository.id);
  context.objects.release(context.mirrors.pathOf(repository));
  await context.mirrors.remove(repository);
  return { status: 204 };
};

/** The branches at the vendor, `main` first. */
export const listBranches: BuildOperation<BuildManagementEndpoints['listBranches']> = async (context, { params }) => {
  const found = await branchesOf(context, await findRepository(context, params));
  const rank = (name: string) => (name === DEFAULT_REF ? 0 : 1);
  return { status: 200, body: { branches: found.toSorted((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1)) } };
};

/** The vendor's current branches. Throws REPOSITORY_UNREACHABLE. */
async function branchesOf(context: BuildContext, repository: StoredRepository): Promise<{ name: string; commit: string }[]> {
  const list = () => context.mirrors.branches(repository, accessTokenOf(context, repository));
  return await context.vendorCalls.run(repository.org, list).catch((error: unknown) => {
    throw unreachable(error);
  });
}

/** Accepts a repository that the organization already has: that is refused for its own reason. */
async function requireCapacity({ rules, store }: BuildContext, org: string, cloneUrl: string): Promise<void> {
  const existing = await store.repositories.list(org);
  if (existing.length < rules.externalLimit || existing.some((one) => one.cloneUrl === cloneUrl)) return;
  const sentence = `The organization ${org} has ${existing.length} external repositories; ${rules.externalLimit} are allowed. Remove one that is no longer needed.`;
  throw new Refusal('EXTERNAL_LIMIT_REACHED', sentence, { data: { limit: `${rules.externalLimit}` } });
}

function notEncrypted(): Refusal {
  const detail = 'Use the HTTPS clone address: over HTTP, others could read the access token in transit.';
  return new Refusal('BODY_INVALID', `The request body is not valid at /cloneUrl: ${detail}`, {
    errors: [{ pointer: '/cloneUrl', detail }],
  });
}

/** A repository of an organization. Refuses with EXTERNAL_REPOSITORY_NOT_FOUND. */
export async function findRepository(
  { store }: Pick<Services, 'store'>,
  { org, repository }: { readonly org: string; readonly repository: string },
): Promise<StoredRepository> {
  const found = await store.repositories.find(org, repository);
  if (found !== undefined) return found;
  const sentence = `The organization ${org} has no external repository ${repository}. Onboard it first.`;
  throw new Refusal('EXTERNAL_REPOSITORY_NOT_FOUND', sentence, { data: { org, repository } });
}

/** Refuses with REPOSITORY_NOT_READY. `next` ends the message with what to do. */
export function requireReady({ name, state }: StoredRepository, next: string): void {
  if (state === 'READY') return;
  throw new Refusal('REPOSITORY_NOT_READY', `The repository "${name}" is ${state}, not READY. ${next}`, { data: { state } });
}

type ViewServices = Pick<Services, 'rules' | 'now'>;

export function repositoryView(services: ViewServices, repository: StoredRepository): ExternalRepository {
  const { programId, id, name, cloneUrl, vendor, state, problem, challenge, link, webhook } = repository;
  const isProven = state === 'READY' || state === 'ownership_confirmed';
  return {
    programId,
    repositoryId: id,
    name,
    cloneUrl,
    vendor,
    alpha: isAlphaVendor(vendor),
    state,
    ...(problem !== undefined && { problem }),
    ...(challenge !== undefined && !isProven && { challenge: { branch: DEFAULT_REF, path: CHALLENGE_FILE, token: challenge } }),
    created: repository.created,
    createdBy: repository.createdBy,
    lastModified: repository.lastModified,
    ...(repository.commit !== undefined && { commit: repository.commit }),
    ...(repository.fetched !== undefined && { fetched: repository.fetched }),
    warnings: [...repository.warnings],
    ...(link !== undefined && { link: { site: link.site, linked: link.linked, linkedBy: link.linkedBy } }),
    ...(webhook !== undefined && { webhook: webhookView(services, repository, webhook) }),
  };
}

function webhookView({ rules, now }: ViewServices, repository: StoredRepository, { created, createdBy, previous }: StoredWebhook) {
  const isValid = previous !== undefined && Date.parse(previous.until) > now().getTime();
  return {
    address: webhookAddress(rules.publicAddress, repository),
    created,
    createdBy,
    ...(isValid && { previousValidUntil: previous.until }),
  };
}

export function webhookAddress(publicAddress: string, { key }: Pick<StoredRepository, 'key'>): string {
  return `${publicAddress}/webhooks/${key}`;
}
