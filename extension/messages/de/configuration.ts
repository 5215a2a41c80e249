import type { configuration as englishConfiguration } from '../en/configuration.ts';

export const configuration: typeof englishConfiguration = {
  open: 'Konfiguration',
  openOf: (name) => `Konfiguration von „${name}“`,
  reading: 'Die Konfiguration wird gelesen\u00a0…',
};
