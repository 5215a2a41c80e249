/** A page of the content tree with the properties that the tree and the rows need. */
export interface ContentPage {
  readonly path: string;
  readonly title: string;
  /** `folder` holds pages and is none itself. */
  readonly kind: 'page' | 'folder';
  /** False where it is certain that no page lies below. */
  readonly hasChildren: boolean;
  /** Its own `jcr:language`. */
  readonly language?: string;
  /** The page that it is a live copy of; `''` where it is one and of which is not known. */
  readonly liveCopyOf?: string;
  /** Its own `cq:conf`; absent where that is inherited. */
  readonly ownConfiguration?: string;
  readonly resourceType?: string;
}
