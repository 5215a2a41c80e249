import type { history as englishHistory } from '../en/history.ts';

export const history: typeof englishHistory = {
  open: 'Verlauf',
  openOf: (name) => `Verlauf von „${name}“`,
  openOrganization: 'Verlauf der Organisation',
  reading: 'Der Verlauf wird gelesen …',
};
