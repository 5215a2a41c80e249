/** Repositories that wait to be checked, each once: whoever asks again is served by the check that waits. */
export interface PendingChecks {
  /** In: a repository by its id. Out: whether a further turn is to be asked for, which calls `next`. */
  add(org: string, id: string): boolean;
  /** The repository of the organization that a turn is for; undefined where those that waited are gone. */
  next(org: string): string | undefined;
  /** The repository is gone. Its turn is that of the one which comes next. */
  forget(org: string, id: string): void;
}

/** There are never more turns of an organization than it had repositories at once. */
export function createPendingChecks(): PendingChecks {
  const waiting = new Map<string, { readonly ids: Set<string>; turns: number }>();
  return {
    add(org, id) {
      const own = waiting.get(org) ?? { ids: new Set(), turns: 0 };
      waiting.set(org, own);
      own.ids.add(id);
      if (own.turns >= own.ids.size) return false;
      own.turns += 1;
      return true;
    },
    next(org) {
      const own = waiting.get(org);
      if (own === undefined) return undefined;
      own.turns -= 1;
      if (own.turns === 0) waiting.delete(org);
      const [id] = own.ids;
      if (id !== undefined) own.ids.delete(id);
      return id;
    },
    forget(org, id) {
      waiting.get(org)?.ids.delete(id);
    },
  };
}
