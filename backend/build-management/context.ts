import type { CodeSync } from '@repoless/contract/build-management.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { codeSentence } from '@repoless/contract/code-sentences.ts';
import type { SealedValue } from '@repoless/contract/secret.ts';
import { createHash } from 'node:crypto';
import type { Input } from '../domain/context.ts';
import type { FairShare } from '../domain/fair-share.ts';
import type { Reply } from '../http/answer.ts';
import { sameText, type SecretBox } from '../secrets/secret-box.ts';
import type { CoalescedRuns, Mirrors, Objects } from './git/mirrors.ts';
import type { Background, EventQueue, PendingChecks } from './background-work.ts';
import type { ConfigurationService } from './service/configuration-service.ts';
import type { BuildStore } from './store/open-store.ts';
import type { TrailForwarder, TrailNote } from './store/trail.ts';
import type { Caller } from '../sessions/identity.ts';
import { RepositoryProblem } from './git/repository-problem.ts';
import type { SealedColumn, StoredRepository } from './store/repositories.ts';

export interface BuildManagementRules {
  readonly publicAddress: string;
  readonly codeSync: CodeSync;
  /** Whether clone addresses without HTTPS are accepted (stand-ins on this machine). */
  readonly allowHttp: boolean;
  /** Maximum bytes of a served file. */
  readonly fileLimit: number;
  readonly fileCountLimit: number;
  /** Maximum bytes of a repository. */
  readonly repositoryLimit: number;
  readonly externalLimit: number;
  /** Milliseconds of one call of git. */
  readonly gitTimeout: number;
}

export interface Services {
  readonly store: BuildStore;
  readonly box: SecretBox;
  readonly mirrors: Mirrors;
  readonly objects: Objects;
  readonly service: ConfigurationService;
  readonly rules: BuildManagementRules;
  readonly background: Background;
  /** Transfers from git vendors between calls, and listings for the configuration service, in fair turns between organizations. */
  readonly transfers: FairShare;
  readonly listings: FairShare;
  /** Calls of git vendors that a person or the configuration service waits for, in fair turns between organizations; they must not nest. */
  readonly vendorCalls: FairShare;
  /** New repositories of an organization one after the other, so that they are counted correctly. */
  readonly additions: FairShare;
  readonly events: EventQueue;
  readonly checks: PendingChecks;
  /** Forwards recorded entries to the configuration service. */
  readonly trailForwarder: TrailForwarder;
  /** Updates a mirror in one transfer for all that wait for it. */
  readonly refreshes: CoalescedRuns;
  /** Whether an `authorization` header has the key shared by the configuration service and build management. */
  isService(authorization: string | undefined): boolean;
  now(): Date;
  newId(): string;
  /** An unguessable text of letters and digits. */
  newSecret(): string;
}

export interface BuildContext extends Services {
  readonly caller: Caller;
  /** The caller's own token for the service, which is called on the caller's behalf. */
  readonly token: string | undefined;
  readonly requestId: string;
  /** Reserves memory for bytes until this call is answered. Refuses with OVERLOADED if the organization has none left. */
  reserve(org: string, bytes: number): void;
}

export type BuildOperation<E extends Endpoint> = (context: BuildContext, input: Input<E>) => Promise<Reply>;

export function requireToken({ token }: Pick<BuildContext, 'token'>): string {
  if (token !== undefined) return token;
  throw new Refusal('NOT_AUTHENTICATED', 'not authenticated');
}

export function noteOf(
  context: Pick<BuildContext, 'caller' | 'requestId' | 'now'>,
  org: string,
  done: Pick<TrailNote, 'action' | 'branch' | 'site'>,
): TrailNote {
  return { ...done, org, time: context.now().toISOString(), user: callerName(context), requestId: context.requestId };
}

export function callerName({ caller }: Pick<BuildContext, 'caller'>): string {
  return caller.kind === 'user' ? caller.email : 'anonymous';
}

type RepositoryKey = Pick<StoredRepository, 'org' | 'key'>;
type SealedName = 'access-token' | 'webhook-secret';

/** A value sealed for one repository cannot be opened for another. */
export function sealFor({ box }: Pick<Services, 'box'>, { org, key }: RepositoryKey, name: SealedName, value: string): string {
  return box.seal(value, { org, site: key, name });
}

/** Throws if no key of the key file opens it. */
function unseal({ box }: Pick<Services, 'box'>, { org, key }: RepositoryKey, name: SealedName, sealed: string): SealedValue {
  return box.open(sealed, { org, site: key, name });
}

/** Throws RepositoryProblem if no key opens it. */
export function accessTokenOf(services: Pick<Services, 'box'>, repository: StoredRepository): SealedValue {
  try {
    return unseal(services, repository, 'access-token', repository.accessToken);
  } catch (cause) {
    throw new RepositoryProblem(codeSentence('accessTokenUnreadable'), { cause });
  }
}

/** Refuses with STORAGE_UNAVAILABLE if no key opens it, so that the vendor resends its event. */
export function webhookSecretOf(services: Pick<Services, 'box'>, repository: StoredRepository, sealed: string): SealedValue {
  try {
    return unseal(services, repository, 'webhook-secret', sealed);
  } catch (cause) {
    throw new Refusal('STORAGE_UNAVAILABLE', SECRET_UNREADABLE, { cause, retryAfter: 60 });
  }
}

const SECRET_UNREADABLE =
  'The webhook secret of this repository cannot be opened: the key that sealed it is missing. Ask the operator of build management to put the key back, or create new credentials for the webhook.';

/** Reseals what older keys sealed. Values that are set in the meantime are not overwritten. */
export async function resealTexts({ store, box }: Pick<Services, 'store' | 'box'>): Promise<{ resealed: number; unreadable: number }> {
  const counts = { resealed: 0, unreadable: 0 };
  for (const { id, column, sealed, ...repository } of await store.repositories.sealedTexts()) {
    if (!box.isOld(sealed)) continue;
    const name = NAMES[column];
    try {
      const after = unseal({ box }, repository, name, sealed).use((value) => sealFor({ box }, repository, name, value));
      await store.repositories.reseal({ id, column, before: sealed, after });
      counts.resealed += 1;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      counts.unreadable += 1;
    }
  }
  return counts;
}

const NAMES: Readonly<Record<SealedColumn, SealedName>> = {
  access_token: 'access-token',
  webhook_secret: 'webhook-secret',
  previous_webhook_secret: 'webhook-secret',
};

/** The stored form of a secret that is only ever compared. The secret is random and long, so a plain hash is enough. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Whether this is the secret of a hash, in constant time. */
export function isSecretOf(secret: string, hash: string): boolean {
  return sameText(hashOf(secret), hash);
}
