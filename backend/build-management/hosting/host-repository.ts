import type { BuildManagementEndpoints } from '#contract/build-management-endpoints.ts';
import type { HostedAccess, HostInput } from '#contract/build-management.ts';
import { Refusal } from '#backend/domain/errors.ts';
import { callerName, noteOf } from '../context.ts';
import type { BuildContext, BuildOperation } from '../context.ts';
import { hashOf } from '../links/link-secret.ts';
import { findRepository } from '../repositories/find-repository.ts';
import { repositoryView } from '../repositories/repository-view.ts';
import { sealFor } from '../repositories/sealed-texts.ts';
import type { StoredRepository } from '../store/stored-repository.ts';
import { requireHosted } from './kinds.ts';

/** Git wants a user name beside the access token; which one is all the same. */
const GIT_USER = 'git';

/** Makes an empty repository, READY at once: there is nobody whose ownership would have to be proven. */
export const hostRepository: BuildOperation<BuildManagementEndpoints['hostRepository']> = async (context, { params: { org }, body }) => {
  const { repository, token } = await context.additions.run(org, () => addRepository(context, org, body));
  context.telling.begin();
  const location = `${context.rules.publicAddress}/organizations/${org}/repositories/${repository.id}`;
  return { status: 201, body: accessOf(context, repository, token), headers: { location } };
};

async function addRepository(
  context: BuildContext,
  org: string,
  { name, programId }: HostInput,
): Promise<{ repository: StoredRepository; token: string }> {
  const { hostedLimit } = context.rules;
  const present = (await context.store.repositories.list(org)).filter(({ vendor }) => vendor === 'hosted');
  if (present.some((one) => one.name === name))
    throw new Refusal('REPOSITORY_TAKEN', `The organization ${org} already has a hosted repository "${name}". Choose another name.`);
  if (present.length >= hostedLimit) {
    const sentence = `The organization ${org} has ${present.length} hosted repositories; ${hostedLimit} are allowed.`;
    throw new Refusal('HOSTED_LIMIT_REACHED', sentence);
  }
  const [key, token] = [context.newId(), context.newSecret()];
  await context.hosted.create(key);
  const added = {
    org,
    programId,
    name,
    cloneUrl: `/git/${org}/${name}.git`,
    vendor: 'hosted' as const,
    key,
    // There is no vendor to show a token to.
    accessToken: sealFor(context, { org, key }, 'access-token', ''),
    state: 'READY' as const,
    challenge: undefined,
    gitTokenHash: hashOf(token),
    created: context.now().toISOString(),
    createdBy: callerName(context),
  };
  const repository = await context.store.repositories.add(added, noteOf(context, org, { action: 'host-repository' }));
  if (repository === undefined) {
    await context.hosted.remove({ key, vendor: 'hosted' });
    throw new Refusal('REPOSITORY_TAKEN', `The organization ${org} already has a hosted repository "${name}". Choose another name.`);
  }
  return { repository, token };
}

/** A token that was lost or told cannot be read again: a new one takes its place, and it is refused from now on. */
export const renewAccessToken: BuildOperation<BuildManagementEndpoints['renewAccessToken']> = async (context, { params }) => {
  const repository = await findRepository(context, params);
  requireHosted(repository, 'Its access token is created at the git vendor. Check the repository again with another one.');
  const token = context.newSecret();
  const change = { git_token_hash: hashOf(token), last_modified: context.now().toISOString() };
  await context.store.repositories.change(repository.id, change, noteOf(context, params.org, { action: 'renew-access-token' }));
  context.telling.begin();
  return { status: 200, body: accessOf(context, await findRepository(context, params), token) };
};

function accessOf(context: BuildContext, stored: StoredRepository, accessToken: string): HostedAccess {
  const repository = repositoryView(context, stored);
  return { repository, cloneUrl: repository.cloneUrl, username: GIT_USER, accessToken };
}
