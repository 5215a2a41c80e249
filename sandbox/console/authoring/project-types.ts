import { PROJECT_TYPES } from '@repoless/contract/edge-fields.ts';

export function projectTypeTitle(projectType: string | undefined): string {
  if (projectType === undefined) return 'No project type is set';
  return PROJECT_TYPES.find(({ id }) => id === projectType)?.title ?? PROJECT_TYPES[0].title;
}
