import { createHostSource } from './create-host-source.ts';
import type { HostSource, PageAddress } from './host.ts';
import { readDeployedSettings, serviceAddress } from './service-address.ts';
import { fitLocale } from './fit-locale.ts';

/** The panel in a window of its own: page from the address, service from `settings.json`, colours from the system. */
export function connectStandAlone(page: Partial<PageAddress>): HostSource {
  const context = { locale: fitLocale(navigator.language), theme: 'system' } as const;
  const source = createHostSource({ state: 'loading', ...context });
  void serviceAddress(undefined, readDeployedSettings).then((service) => {
    source.update(() => {
      if ('failure' in service) return { state: 'failed', failure: service.failure, ...context };
      const { author, path } = page;
      if (author === undefined || path === undefined) return { state: 'failed', failure: { reason: 'page-missing' }, ...context };
      return { state: 'ready', mode: 'stand-alone', page: { author, path }, ...service, ...context };
    });
  });
  return source;
}
