import { CHALLENGE_FILE, isAlphaVendor } from '@repoless/contract/build-management.ts';
import type { ExternalRepository } from '@repoless/contract/build-management.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { Services } from '../context.ts';
import type { StoredRepository, StoredWebhook } from '../store/stored-repository.ts';

type Told = Pick<Services, 'rules' | 'now'>;

/** The public view of a repository. */
export function repositoryView(services: Told, repository: StoredRepository): ExternalRepository {
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

function webhookView({ rules, now }: Told, repository: StoredRepository, { created, createdBy, previous }: StoredWebhook) {
  const isGood = previous !== undefined && Date.parse(previous.until) > now().getTime();
  return {
    address: webhookAddress(rules.publicAddress, repository),
    created,
    createdBy,
    ...(isGood && { previousValidUntil: previous.until }),
  };
}

export function webhookAddress(publicAddress: string, { key }: Pick<StoredRepository, 'key'>): string {
  return `${publicAddress}/webhooks/${key}`;
}
