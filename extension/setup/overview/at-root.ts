import type { SetupPorts } from '../ports.ts';

/**
 * Ports by which a page is the root of a site of its own, because the service has one there: also where it inherits the
 * configuration of the site above, whose page it would be taken for.
 */
export function atRoot(ports: SetupPorts): SetupPorts {
  const { authoring } = ports;
  return { ...ports, authoring: { ...authoring, settings: (page, info) => authoring.settings(page, info, true) } };
}
