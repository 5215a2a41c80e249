import { LIMITS } from '@repoless/contract/limits.ts';
import type { Context } from '../domain/context.ts';
import { requireFewOpen } from '../domain/short-lived.ts';
import { DeviceRequest } from './device-request.ts';

/** Slots for device authorizations, of which so many are open at a time for everybody together. */
export interface DeviceSlots {
  /**
   * Frees a slot for one more where there is none: the oldest of the networks with the most of them go, so that nobody fills the slots of
   * others. Refuses with RATE_LIMITED where nothing can go.
   */
  free(context: Pick<Context, 'store'>): Promise<void>;
}

/** In one process; what is open is counted in the storage, for all nodes. */
export function createDeviceSlots(): DeviceSlots {
  let underWay: Promise<void> | undefined;
  return {
    async free(context) {
      if ((await context.store.shortLived.count('user-code')) < LIMITS.openBeginnings) return;
      await (underWay ??= displace(context).finally(() => (underWay = undefined)));
      await requireFewOpen(context, 'user-code', 'device authorizations');
    },
  };
}

/** All are read, so some go together. Those that most newer ones of the same network follow are first, of these the oldest. */
async function displace({ store: { shortLived } }: Pick<Context, 'store'>): Promise<void> {
  const open = (await shortLived.list('user-code', '')).flatMap((value) => DeviceRequest.safeParse(value).data ?? []);
  const ofNetwork = new Map<string, number>();
  const ranked = open
    .toSorted((one, other) => other.begun - one.begun)
    .map((request) => {
      const { network = '' } = request;
      const newer = ofNetwork.get(network) ?? 0;
      ofNetwork.set(network, newer + 1);
      return { ...request, newer };
    });
  const going = ranked.toSorted((one, other) => other.newer - one.newer || one.begun - other.begun).slice(0, TOGETHER);
  await Promise.all(going.flatMap(({ userCode, device }) => [shortLived.take('user-code', userCode), shortLived.take('device', device)]));
}

const TOGETHER = 100;
