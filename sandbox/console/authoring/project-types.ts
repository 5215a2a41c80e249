/** The project types of the authoring system, with the value that means repoless in the sandbox (REPOLESS_PROJECT_TYPE of the backend). */
export const REPOLESS = '4';

export const PROJECT_TYPES = [
  { id: '1', title: 'Edge Delivery with a repository of its own' },
  { id: REPOLESS, title: 'Edge Delivery with repoless configuration' },
] as const;

export function projectTypeTitle(projectType: string | undefined): string {
  if (projectType === undefined) return 'No project type is set';
  return PROJECT_TYPES.find(({ id }) => id === projectType)?.title ?? PROJECT_TYPES[0].title;
}
