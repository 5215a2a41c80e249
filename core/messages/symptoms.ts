/** What a person may see of a site that does not work, in the order in which it is offered. */
export const SYMPTOMS = ['white-page', 'old-code', 'publishing', 'config-missing'] as const;
export type Symptom = (typeof SYMPTOMS)[number];
