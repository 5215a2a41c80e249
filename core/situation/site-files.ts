/** Files that the editor cannot do without: a missing one is its white page (docs/design-facts.md 2.8). */
export const EDITOR_FILES = ['/component-definition.json', '/component-models.json', '/component-filters.json', '/head.html'] as const;

/** Files of the repository that the service's configuration has taken the place of (docs/design-facts.md 3.4). */
export const OBSOLETE_FILES = ['/fstab.yaml', '/paths.json'] as const;

/** What is looked for in the repository; a `config.json` there would shadow every site's own. */
export const REPOSITORY_FILES = ['/config.json', ...OBSOLETE_FILES, ...EDITOR_FILES] as const;
