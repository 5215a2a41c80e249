import type { Addresses, Ports } from './addresses.ts';

/** By this the service and build management know each other in the sandbox. */
export const BUILD_MANAGEMENT_KEY = 'sandbox-build-management-key';

/** The settings of build management in the sandbox. */
export function buildManagementEnvironment(
  ports: Ports,
  addresses: Addresses,
  dataDir: string,
  furtherOrigins: readonly string[] = [],
): Record<string, string> {
  return {
    PORT: String(ports.buildManagement),
    PUBLIC_ADDRESS: addresses.buildManagement,
    DATA_DIR: dataDir,
    SERVICE_ADDRESS: addresses.backend,
    BUILD_MANAGEMENT_KEY,
    ALLOWED_ORIGINS: [addresses.extension, addresses.console, ...furtherOrigins].join(','),
    // The git vendor of the sandbox lives on loopback, and speaks HTTP.
    INTERNAL_ADDRESSES: 'allow',
    // As of the service: all of the sandbox, and what looks at it, share a machine.
    OVERLOAD_DELAY: '0',
    LOG_LEVEL: 'info',
  };
}
