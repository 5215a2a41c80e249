/** What is wrong with a seeded site on purpose: the check that must find it, and a sentence. */
export interface Trouble {
  readonly check: string;
  readonly says: string;
}

/** A site root of the content tree, with its Edge Delivery configuration and the service site that a first start registers for it. */
export interface SiteRoot {
  readonly path: string;
  readonly language: string;
  readonly title?: string;
  /** How many of the language's pages it has; all without it. */
  readonly pages?: number;
  /** The page that this one is a live copy of. */
  readonly master?: string;
  readonly configuration?: SeededConfiguration;
  readonly configurationPage: 'spreadsheet' | 'ordinary page' | 'none';
  readonly service?: SeededService;
  readonly trouble?: Trouble;
}

export interface SeededConfiguration {
  /** The value of `cq:conf`. */
  readonly conf: string;
  readonly owner: string;
  readonly repo: string;
  readonly projectType: 'plain' | 'repoless';
  /** The delivery address asks for no token; so unless this is false. */
  readonly open?: false;
}

export interface SeededService {
  readonly site: string;
  /** Repository of the organization; `wknd` without it. */
  readonly repository?: string;
  /** Without it those of a site that is set up well. */
  readonly mappings?: readonly string[];
  readonly administrators?: readonly string[];
  /** `own` without it. */
  readonly technicalAccount?: 'own' | "the other environment's" | 'none';
}

/** The values of `projectType` in the authoring system. */
export const PROJECT_TYPES = { plain: '1', repoless: '4' } as const;

export const ORGANIZATION = 'wknd';
