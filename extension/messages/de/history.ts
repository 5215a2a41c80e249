import type { history as englishHistory } from '../en/history.ts';

export const history: typeof englishHistory = {
  open: 'Verlauf',
  openOf: (name) => `Verlauf von „${name}“`,
  openOrganization: 'Verlauf der Organisation',
  profiles: 'Gemeinsame Profile',
  profilesUnread: 'Die Profile konnten nicht gelesen werden',
  reading: 'Der Verlauf wird gelesen\u00a0…',
};
