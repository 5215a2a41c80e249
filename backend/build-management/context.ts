import type { CodeSync } from '@repoless/contract/build-management.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import type { Input } from '../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { FairShare } from '../domain/fair-share.ts';
import type { Reply } from '../http/answer.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { FreshRuns, Mirrors } from './git/mirrors.ts';
import type { Objects } from './git/objects.ts';
import type { Background, EventQueue, PendingChecks } from './background-work.ts';
import type { ConfigurationService } from './service/configuration-service.ts';
import type { BuildStore } from './store/open-store.ts';
import type { TrailForwarder, TrailNote } from './store/trail.ts';
import type { Caller } from '../sessions/identity.ts';

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
  readonly refreshes: FreshRuns;
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
  /** Reserves memory for bytes that are held until this call is answered. Refuses with OVERLOADED if the organization has none left. */
  hold(org: string, bytes: number): void;
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
