import { LIMITS } from '@repoless/contract/limits.ts';
import type { Context } from '../../domain/context.ts';
import { Refusal } from '../../domain/errors.ts';
import { isStranger } from '../../access/permit.ts';

/** The open streams of jobs of a process: each asks the storage at each change. */
export interface JobStreams {
  /**
   * Counts a stream for as long as it is read. In: who asks, as its permission was checked, and for which organization. Refuses with
   * OVERLOADED where as many are open as may be; who has no role there takes none of the places of those who have.
   */
  counted(context: Context, org: string, pieces: () => AsyncIterable<string>): AsyncGenerator<string>;
}

/** What a stream counts for. */
interface Place {
  readonly key: string;
  readonly most: number;
  /** How many streams are open, a sentence. */
  readonly full: string;
}

export function createJobStreams(): JobStreams {
  const open = new Map<string, number>();
  const requireCapacity = (places: readonly Place[]) => {
    const full = places.find(({ key, most }) => (open.get(key) ?? 0) >= most);
    if (full !== undefined) throw tooMany(full);
  };
  async function* counting(places: readonly Place[], pieces: () => AsyncIterable<string>): AsyncGenerator<string> {
    // Others may have begun to be read meanwhile: this one is cut then, and the next question is told why.
    requireCapacity(places);
    for (const { key } of places) open.set(key, (open.get(key) ?? 0) + 1);
    try {
      yield* pieces();
    } finally {
      for (const { key } of places) {
        const left = (open.get(key) ?? 1) - 1;
        if (left === 0) open.delete(key);
        else open.set(key, left);
      }
    }
  }
  return {
    counted(context, org, pieces) {
      const places = placesOf(context, org);
      requireCapacity(places);
      return counting(places, pieces);
    },
  };
}

function placesOf({ caller, address, permitted }: Context, org: string): Place[] {
  const stored = permitted?.org;
  if (caller.kind === 'anonymous' || stored === undefined || isStranger(caller, stored.config, permitted?.site?.aggregate)) {
    return [
      {
        key: `strangers ${org}`,
        most: LIMITS.jobStreamsOfStrangers,
        full: `Callers without a role in this organization already have ${LIMITS.jobStreamsOfStrangers} open job streams.`,
      },
      {
        key: `network ${address}`,
        most: LIMITS.jobStreamsOfNetwork,
        full: `Callers without a role have ${LIMITS.jobStreamsOfNetwork} job streams open from your address.`,
      },
    ];
  }
  return [
    { key: `org ${org}`, most: LIMITS.jobStreams, full: `This organization has ${LIMITS.jobStreams} job streams open.` },
    {
      key: `person ${org} ${caller.email.toLowerCase()}`,
      most: LIMITS.jobStreamsOfPerson,
      full: `You have ${LIMITS.jobStreamsOfPerson} job streams open in this organization.`,
    },
  ];
}

function tooMany({ full }: Place): Refusal {
  return new Refusal('OVERLOADED', `${full} Close some, or read the job without a stream.`, { retryAfter: 10 });
}
