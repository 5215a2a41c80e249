import type { CodeSync } from '@repoless/contract/build-management.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import type { Caller, Input } from '../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { FairShare } from '../domain/fair-share.ts';
import type { Reply } from '../http/answer.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { FreshRuns, Mirrors } from './git/mirrors.ts';
import type { Objects } from './git/objects.ts';
import type { PendingChecks } from './repositories/check-repository.ts';
import type { ConfigurationService } from './service/configuration-service.ts';
import type { BuildStore } from './store/open-store.ts';
import type { TrailForwarder, TrailNote } from './store/trail.ts';
import type { EventQueue } from './webhooks/run-delivery.ts';

export interface BuildManagementRules {
  /** Scheme, host and port, without a trailing slash. */
  readonly publicAddress: string;
  readonly codeSync: CodeSync;
  /** Whether clone addresses without HTTPS are taken (stand-ins on this machine). */
  readonly allowHttp: boolean;
  /** Bytes of a file that is served. */
  readonly fileLimit: number;
  /** Files of a branch that are listed. */
  readonly fileCountLimit: number;
  /** Bytes of a repository. */
  readonly repositoryLimit: number;
  /** External repositories that an organization onboards. */
  readonly externalLimit: number;
  /** Milliseconds of one call of git. */
  readonly gitTimeout: number;
}

/** What is there for every call, and for the work between calls. */
export interface Services {
  readonly store: BuildStore;
  readonly box: SecretBox;
  readonly mirrors: Mirrors;
  readonly objects: Objects;
  readonly service: ConfigurationService;
  readonly rules: BuildManagementRules;
  readonly background: Background;
  /** Transfers from git vendors between calls, and listings for the configuration service, in turn over organizations. */
  readonly transfers: FairShare;
  readonly listings: FairShare;
  /** Calls of git vendors that a person or the configuration service waits for, in turn over organizations; what asks for one does not nest. */
  readonly looks: FairShare;
  /** New repositories of an organization one after the other, so that they are counted. */
  readonly additions: FairShare;
  /** Work waiting for a transfer that events triggered. */
  readonly events: EventQueue;
  /** What waits for one of the transfers to be checked. */
  readonly checks: PendingChecks;
  /** Tells the configuration service what was noted. */
  readonly telling: TrailForwarder;
  /** Updates a mirror for everyone who waits for that, in one transfer. */
  readonly refreshes: FreshRuns;
  /** Whether an `authorization` header shows the key that the configuration service and build management share. */
  isService(authorization: string | undefined): boolean;
  now(): Date;
  newId(): string;
  /** An unguessable text of letters and digits. */
  newSecret(): string;
}

export interface BuildContext extends Services {
  readonly caller: Caller;
  /** The caller's own token of the service, by which the service is asked in the caller's name. */
  readonly token: string | undefined;
  readonly requestId: string;
  /** Notes bytes that are kept until this call is answered. Refuses with OVERLOADED where the organization has no room for them. */
  hold(org: string, bytes: number): void;
}

export type BuildOperation<E extends Endpoint> = (context: BuildContext, input: Input<E>) => Promise<Reply>;

/** The token that every call but the public ones shows. Refuses with NOT_AUTHENTICATED. */
export function requireToken({ token }: Pick<BuildContext, 'token'>): string {
  if (token !== undefined) return token;
  throw new Refusal('NOT_AUTHENTICATED', 'not authenticated');
}

/** What the caller does, for the audit trail of the organization. */
export function noteOf(
  context: Pick<BuildContext, 'caller' | 'requestId' | 'now'>,
  org: string,
  done: Pick<TrailNote, 'action' | 'branch' | 'site'>,
): TrailNote {
  return { ...done, org, time: context.now().toISOString(), user: callerName(context), requestId: context.requestId };
}

/** Who calls, for records. */
export function callerName({ caller }: Pick<BuildContext, 'caller'>): string {
  return caller.kind === 'user' ? caller.email : 'anonymous';
}

export type Background = Omit<ReturnType<typeof createBackground>, 'stop'>;

/** Work that continues after its call was answered; a shutdown ends it, and the next start resumes it. */
export function createBackground(failed: (name: string, error: unknown) => void) {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  return {
    /** Aborted when the program stops. */
    get signal(): AbortSignal {
      return stopping.signal;
    },
    /** What the work throws is logged under this name. */
    begin(name: string, work: () => Promise<void>): void {
      if (stopping.signal.aborted) return;
      const run = work()
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) failed(name, error);
        })
        .finally(() => running.delete(run));
      running.add(run);
    },
    /** Asks the work to end, and waits until it has. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
