import { useSyncExternalStore } from 'react';
import type { Host, HostSource } from './host.ts';

export function useHost(source: HostSource): Host {
  return useSyncExternalStore(source.subscribe, source.get);
}
