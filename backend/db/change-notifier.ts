/** Notifies listeners of changes. */
export interface ChangeNotifier {
  onSiteChange(listener: (org: string, site: string) => void): () => void;
  onTokenChange(listener: (id: string) => void): () => void;
  changed(change: Change): void;
}

/** What nodes cache depends on sites, and on tokens: API keys, ended sign-ins, and people all of whose sign-ins were ended. */
export type Change =
  { readonly kind: 'site'; readonly org: string; readonly site: string } | { readonly kind: 'token'; readonly id: string };

export function createChangeNotifier(): ChangeNotifier {
  const sites = new Set<(org: string, site: string) => void>();
  const tokens = new Set<(id: string) => void>();
  return {
    onSiteChange: (listener) => subscribed(sites, listener),
    onTokenChange: (listener) => subscribed(tokens, listener),
    changed(change) {
      if (change.kind === 'site') for (const tell of sites) tell(change.org, change.site);
      else for (const tell of tokens) tell(change.id);
    },
  };
}

/** A change as sent between nodes; none of the names contains a space. */
export function payloadOf(change: Change): string {
  return change.kind === 'site' ? `site ${change.org} ${change.site}` : `token ${change.id}`;
}

/** Undefined if it does not have this form. */
export function changeOf(payload: string): Change | undefined {
  const [kind, first, second] = payload.split(' ');
  if (kind === 'site' && first !== undefined && second !== undefined) return { kind, org: first, site: second };
  if (kind === 'token' && first !== undefined) return { kind, id: first };
  return undefined;
}

function subscribed<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
