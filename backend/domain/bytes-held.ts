/** Bytes that are held in memory at the moment, in all and for each share, such as an organization. */
interface BytesHeld {
  readonly inAll: number;
  of(share: string): number;
  /** In: bytes that are held from now on; less than 0, given back. */
  count(share: string, bytes: number): void;
}

export function createBytesHeld(): BytesHeld {
  const byShare = new Map<string, number>();
  let inAll = 0;
  const of = (share: string) => byShare.get(share) ?? 0;
  return {
    get inAll() {
      return inAll;
    },
    of,
    count(share, bytes) {
      inAll += bytes;
      const left = of(share) + bytes;
      if (left === 0) byShare.delete(share);
      else byShare.set(share, left);
    },
  };
}
