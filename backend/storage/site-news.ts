/** Tells those who listen that a site changed, or that changes may have been missed. */
export interface SiteNews {
  onSiteChange(listener: (org: string, site: string) => void): () => void;
  onChangesMissed(listener: () => void): () => void;
  changed(org: string, site: string): void;
  missed(): void;
}

export function siteNews(): SiteNews {
  const changes = new Set<(org: string, site: string) => void>();
  const misses = new Set<() => void>();
  return {
    onSiteChange: (listener) => subscribed(changes, listener),
    onChangesMissed: (listener) => subscribed(misses, listener),
    changed: (org, site) => changes.forEach((listener) => listener(org, site)),
    missed: () => misses.forEach((listener) => listener()),
  };
}

function subscribed<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
