import type { SetupPorts } from '../plan/ports.ts';

/**
 * Ports that treat a page as the root of its own site, because the service has one there: also if it inherits the configuration of the site above.
 */
export function atRoot(ports: SetupPorts): SetupPorts {
  const { authoring } = ports;
  return { ...ports, authoring: { ...authoring, settings: (page, info) => authoring.settings(page, info, true) } };
}
