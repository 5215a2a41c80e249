import type { Choices } from '../situation/settings.ts';

/**
 * What a person edited; everything else is proposed again with each reading, so that concurrent changes are kept. Choices of a file decide
 * everything.
 */
export interface Edits extends Partial<Omit<Choices, 'administrators' | 'secret'>> {
  /** Who was added and removed, or the whole list. */
  readonly administrators?: MemberEdits | readonly string[];
  /** undefined: it was pasted, and is taken back. */
  readonly secret?: Choices['secret'] | undefined;
}

export interface MemberEdits {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Nothing was edited: everything is as proposed. */
export const NO_EDITS: Edits = {};

/** What is proposed, with what a person decided. */
export function withEdits(proposed: Choices, edits: Edits): Choices {
  const { administrators, secret, ...others } = edits;
  return {
    ...proposed,
    ...others,
    ...(secret === undefined ? {} : { secret }),
    ...(administrators === undefined
      ? {}
      : { administrators: isList(administrators) ? administrators : edited(proposed.administrators, administrators) }),
  };
}

/** Names with the edits of somebody. */
export function edited(names: readonly string[], { added, removed }: MemberEdits): string[] {
  return [...withoutNames(names, [...removed, ...added]), ...added];
}

/** Names but for others, which are the same whatever their case. */
export function withoutNames(names: readonly string[], others: readonly string[]): string[] {
  const left = new Set(others.map((name) => name.toLowerCase()));
  return names.filter((name) => !left.has(name.toLowerCase()));
}

/** Whether edits are a whole list of administrators. */
export function isList(administrators: MemberEdits | readonly string[]): administrators is readonly string[] {
  return Array.isArray(administrators);
}
