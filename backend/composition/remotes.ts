import type { Settings } from '../config.ts';
import { createLookups, type Resolve } from '../remote/guarded-lookup.ts';
import { createRemote, type Remote } from '../remote/remote.ts';
import type { Tracing } from '../tracing/tracing.ts';

/** The HTTP clients of a program. */
export interface Remotes {
  readonly lookups: ReturnType<typeof createLookups>;
  /** For what tenants name. */
  readonly tenants: Remote;
  /** For the code host and identity providers. */
  readonly partners: Remote;
  /** For the operator's own programs, which may be internal. */
  readonly own: Remote;
  close(): Promise<void>;
}

/** Separate lookups for each kind, so that names of tenants do not hold up others. `resolve` is the resolver of the system. */
export function composeRemotes(settings: Settings, { tracing, resolve }: { tracing: Tracing; resolve: Resolve | undefined }): Remotes {
  const { CODE_HOST, CODE_HOST_API, CODE_HOST_RAW, INTERNAL_ADDRESSES: internalAddresses } = settings;
  const lookups = createLookups([CODE_HOST, CODE_HOST_API, CODE_HOST_RAW], resolve);
  const tenants = createRemote({ internalAddresses, resolve: lookups.tenants, tracing, ...REMOTE_LIMITS });
  const partners = createRemote({ internalAddresses, resolve: lookups.partners, tracing, ...REMOTE_LIMITS });
  const own = createRemote({ internalAddresses: 'allow', resolve: lookups.partners, tracing, ...REMOTE_LIMITS });
  return {
    lookups,
    tenants,
    partners,
    own,
    async close() {
      await tenants.close();
      await partners.close();
      await own.close();
    },
  };
}

/** The service at the start of a sentence. */
export const TITLE = 'The service';

/** Limits of a request to another system: milliseconds, and bytes of the response. */
const REMOTE_LIMITS = { timeout: 10_000, sizeLimit: 10 * 1024 * 1024 };
