import { firstView } from './first-view.ts';

/** English, part by part. The first view's is there at once: it also stands in for a language that could not be loaded. */
export const english = {
  firstView: () => firstView,
  siteCheck: async () => ({ checks: (await import('./checks.ts')).checks }),
  sync: async () => (await import('./sync-views.ts')).syncViews,
  sites: async () => (await import('./sites-views.ts')).sitesViews,
  access: async () => (await import('./access-panel.ts')).accessPanel,
  history: async () => (await import('./history-panel.ts')).historyPanel,
  glossary: async () => (await import('./glossary.ts')).glossary,
};
