import type { Endpoint } from '#contract/endpoint.ts';
import type { CodeSync } from '#contract/build-management.ts';
import type { Caller } from '#backend/domain/caller.ts';
import type { SecretBox } from '#backend/domain/secrets/secret-box.ts';
import type { Input, Outcome } from '#backend/domain/verb.ts';
import type { Mirrors } from './git/mirrors.ts';
import type { Objects } from './git/objects.ts';
import type { ConfigurationService } from './service/configuration-service.ts';
import type { BuildStore } from './store/open-store.ts';

export interface BuildManagementRules {
  /** Scheme, host and port, without a trailing slash. */
  readonly publicAddress: string;
  readonly codeSync: CodeSync;
  /** Whether clone addresses without HTTPS are taken (stand-ins on this machine). */
  readonly allowHttp: boolean;
  /** Bytes of a file that is served. */
  readonly fileLimit: number;
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
  now(): Date;
  newId(): string;
  /** An unguessable text of letters and digits. */
  newSecret(): string;
}

/** Work that goes on after its call was answered; stopping waits for none of it, a later start takes it up again. */
export interface Background {
  /** Aborted when the program stops. */
  readonly signal: AbortSignal;
  /** What the work throws is logged under this name. */
  begin(name: string, work: () => Promise<void>): void;
}

export interface BuildContext extends Services {
  readonly caller: Caller;
  readonly requestId: string;
}

export type BuildVerb<E extends Endpoint> = (context: BuildContext, input: Input<E>) => Promise<Outcome>;

/** Who calls, for records. */
export function callerName({ caller }: Pick<BuildContext, 'caller'>): string {
  return caller.kind === 'user' ? caller.email : 'anonymous';
}
