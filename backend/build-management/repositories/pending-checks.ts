/** Repositories waiting to be checked, each once: a further request joins the waiting check. */
export interface PendingChecks {
  /** Returns whether a further turn is needed, which calls `next`. */
  add(org: string, id: string): boolean;
  /** The repository that a turn is for; undefined if those that waited were removed. */
  next(org: string): string | undefined;
  /** The repository was removed; its turn goes to the next one. */
  forget(org: string, id: string): void;
}

/** An organization never has more turns than waiting repositories. */
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
