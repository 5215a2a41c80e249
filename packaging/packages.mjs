/**
 * What can be installed by itself. `entries` are compiled files below `dist/`; what they import goes with them, and each package
 * depends on what its files import, at the versions of the project. `folder` is copied whole;
 * `optional` are packages that whoever needs them installs beside it.
 */
export const PACKAGES = [
  {
    name: '@repoless/contract',
    description: 'The table of calls of the configuration service and of build management: addresses, schemas, permissions, error codes.',
    entries: ['contract/*.js'],
    exports: { './*.js': { types: './contract/*.d.ts', default: './contract/*.js' } },
  },
  {
    name: '@repoless/client',
    description: 'A typed client of the configuration service, derived from the table of calls.',
    entries: ['extension/api/client.js'],
    exports: { '.': { types: './extension/api/client.d.ts', default: './extension/api/client.js' } },
  },
  {
    name: '@repoless/service',
    description: 'The configuration service and build management.',
    entries: ['backend/main.js', 'backend/build-management/main.js', 'backend/administration/main.js'],
    bin: {
      'repoless-service': 'backend/main.js',
      'repoless-build-management': 'backend/build-management/main.js',
      'repoless-admin': 'backend/administration/main.js',
    },
  },
  {
    name: '@repoless/command-line',
    description: 'Plans, applies and checks the setup of sites from a pipeline.',
    entries: ['extension/command-line/main.js'],
    bin: { repoless: 'extension/command-line/main.js' },
    // For `repoless mcp` alone; it brings a web server that no pipeline needs.
    optional: ['@modelcontextprotocol/sdk'],
  },
  {
    name: '@repoless/extension',
    description: 'The UI extension as web pages, for any HTTPS hosting.',
    entries: [],
    folder: 'extension-web',
  },
];
