/** The project type that means repoless, unless the service's setting of this name says otherwise (docs/design-facts.md 2.4). */
export const REPOLESS_PROJECT_TYPE = '4';

/** The property that shows the technical account, unless the service's setting of this name says otherwise (docs/design-facts.md 2.5). */
export const TECHNICAL_ACCOUNT_PROPERTY = 'technicalAccountId';

export const PROJECT_TYPES = [
  { id: '1', title: 'Edge Delivery with its own repository' },
  { id: REPOLESS_PROJECT_TYPE, title: 'Edge Delivery with repoless configuration' },
] as const;

/** A field of an Edge Delivery configuration that an author sets by hand. */
export interface EdgeField {
  readonly key: 'projectType' | 'organization' | 'siteName' | 'technicalAccount';
  /** Name in the repository of the authoring system. */
  readonly property: string;
  readonly label: string;
  readonly description?: string;
  /** The values to choose from; free text if absent. */
  readonly options?: readonly { readonly id: string; readonly title: string }[];
  readonly tab: 'Basic' | 'Authentication';
}

export const EDGE_FIELDS: readonly EdgeField[] = [
  { key: 'projectType', property: 'projectType', label: 'Project type', options: PROJECT_TYPES, tab: 'Basic' },
  { key: 'organization', property: 'owner', label: 'Organization', tab: 'Basic' },
  { key: 'siteName', property: 'repo', label: 'Site name', tab: 'Basic' },
  {
    key: 'technicalAccount',
    property: TECHNICAL_ACCOUNT_PROPERTY,
    label: 'Technical account',
    description: 'Leave it empty for the account of this environment.',
    tab: 'Authentication',
  },
];
