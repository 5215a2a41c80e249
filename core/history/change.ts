import type { RoleName } from '@repoless/contract/access.ts';

/** Areas in which an author searches when something went wrong. */
export type Area = 'whole' | 'access' | 'mappings' | 'content' | 'code' | 'other';

/** Lists whose entries are added and removed. `of` in a change says which one of several: a header's path, a group, a host. */
export type ListName =
  | RoleName
  | 'mappings'
  | 'includes'
  | 'excludes'
  | 'headers'
  | 'folders'
  | 'group'
  | 'groups'
  | 'users'
  | 'userRoles'
  | 'headerPaths'
  | 'hostAllow'
  | 'defaultRole'
  | 'secrets'
  | 'apiKeys'
  | 'tokens'
  | 'features'
  | 'limits'
  | 'editor'
  | 'entries';

export type FieldName =
  | 'contentSource'
  | 'contentType'
  | 'contentSuffix'
  | 'contentOverlay'
  | 'includes'
  | 'repository'
  | 'codeType'
  | 'codeAddress'
  | 'codeRawAddress'
  | 'secretName'
  | 'requireAuth'
  | 'hostRequireAuth'
  | 'profile'
  | 'robots'
  | 'query'
  | 'sitemap'
  | 'title'
  | 'description'
  | 'productionHost'
  | 'previewHost'
  | 'liveHost'
  | 'reviewHost'
  | 'eventTarget'
  | 'registry';

/** One difference between two configurations, as data from which messages build a sentence. `pointer` says where (RFC 6901). */
export type Change =
  /** It exists for the first time; exists again after a removal; was removed; or nothing that an author sets differs. */
  | { readonly kind: 'created' | 'returned' | 'removed' | 'same'; readonly area: 'whole'; readonly pointer: '' }
  | {
      readonly kind: 'list';
      readonly area: Area;
      readonly pointer: string;
      readonly list: ListName;
      readonly of?: string;
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly left: number;
    }
  | { readonly kind: 'order'; readonly area: Area; readonly pointer: string; readonly list: ListName; readonly of?: string }
  /** A public path that shows different content. */
  | {
      readonly kind: 'mapping';
      readonly area: 'mappings';
      readonly pointer: string;
      readonly publicPath: string;
      readonly from: string;
      readonly to: string;
    }
  | {
      readonly kind: 'field';
      readonly area: Area;
      readonly pointer: string;
      readonly field: FieldName;
      readonly of?: string;
      readonly from?: string;
      readonly to?: string;
    }
  /** How much of its content a site publishes if its list of includes has no entries: without a list everything, with an empty one nothing. */
  | { readonly kind: 'inclusion'; readonly area: 'mappings'; readonly pointer: string; readonly includes: 'everything' | 'nothing' }
  /** Anything without its own message. */
  | { readonly kind: 'other'; readonly area: Area; readonly pointer: string; readonly from?: string; readonly to?: string };

export function hasNoChanges(changes: readonly Change[]): boolean {
  return changes.every(({ kind }) => kind === 'same');
}
