/** Symptoms of a site that does not work, in display order. */
export const SYMPTOMS = ['white-page', 'old-code', 'publishing', 'config-missing'] as const;
export type Symptom = (typeof SYMPTOMS)[number];
