import type { siteKinds as englishKinds, siteStates as english } from '../en/site-states.ts';

export const siteStates: typeof english = {
  'set-up': 'Eingerichtet',
  differs: 'Abweichend',
  faulty: 'Fehlerhaft',
  unfinished: 'Teilweise eingerichtet',
  registered: 'Registriert',
  'not-set-up': 'Nicht eingerichtet',
  unknown: 'Unbekannt',
};

export const siteKinds: typeof englishKinds = {
  base: 'Basis-Site',
  locale: 'Sprach-Site',
  production: 'Stage- oder Produktions-Site',
  single: 'Einzel-Site',
};
