import type { access as englishAccess } from '../en/access.ts';

export const access: typeof englishAccess = {
  open: 'Zugriff',
  openOf: (name) => `Zugriff auf „${name}“`,
  openOrganization: 'Zugriff auf die Organisation',
  reading: 'Es wird gelesen, wer Zugriff hat\u00a0…',
};
