/** Bytes that are held in memory at the moment, in all and for each organization. */
interface BytesHeld {
  readonly inAll: number;
  of(org: string): number;
  /** In: bytes that are held from now on; less than 0, given back. */
  count(org: string, bytes: number): void;
}

export function createBytesHeld(): BytesHeld {
  const byOrg = new Map<string, number>();
  let inAll = 0;
  const of = (org: string) => byOrg.get(org) ?? 0;
  return {
    get inAll() {
      return inAll;
    },
    of,
    count(org, bytes) {
      inAll += bytes;
      const left = of(org) + bytes;
      if (left === 0) byOrg.delete(org);
      else byOrg.set(org, left);
    },
  };
}
