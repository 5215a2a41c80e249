/** Stands behind the news of one commit: a node that hears it has heard all of them. */
export interface Mark {
  /** The node that wrote. */
  readonly node: string;
  readonly number: number;
}

export function markPayload({ node, number }: Mark): string {
  return `mark ${node} ${number}`;
}

/** Undefined for everything else that is told. */
export function markOf(payload: string): Mark | undefined {
  const [, node, number] = /^mark ([0-9a-f]+) (\d+)$/.exec(payload) ?? [];
  return node === undefined ? undefined : { node, number: Number(number) };
}

/** Where a node is told which of its marks the others have heard. */
export function confirmationChannel(node: string): string {
  return `repoless_heard_${node}`;
}

export function confirmationPayload(node: string, numbers: readonly number[]): string {
  return `${node} ${numbers.join(',')}`;
}

/** Undefined where it is none. */
export function confirmationOf(payload: string): { readonly node: string; readonly numbers: readonly number[] } | undefined {
  const [, node, numbers] = /^([0-9a-f]+) ([\d,]+)$/.exec(payload) ?? [];
  return node === undefined || numbers === undefined ? undefined : { node, numbers: numbers.split(',').map(Number) };
}
