/** English, part by part. It also stands in for a language that is not there or could not be loaded. */
export const english = {
  firstView: async () => (await import('./first-view.ts')).firstView,
  setup: async () => (await import('./setup.ts')).setup,
  simulation: async () => ({ simulation: (await import('./simulation.ts')).simulation }),
  siteCheck: async () => ({ checks: (await import('./checks.ts')).checks }),
  sync: async () => (await import('./sync-views.ts')).syncViews,
  sites: async () => (await import('./sites-views.ts')).sitesViews,
  access: async () => (await import('./access-panel.ts')).accessPanel,
  configuration: async () => ({ form: (await import('./configuration-panel.ts')).configurationPanel }),
  history: async () => (await import('./history-panel.ts')).historyPanel,
  rollouts: async () => ({ rollouts: (await import('./rollouts.ts')).rollouts }),
  leaving: async () => ({ leaving: (await import('./leaving.ts')).leaving }),
  glossary: async () => (await import('./glossary.ts')).glossary,
};
