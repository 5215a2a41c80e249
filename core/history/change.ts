import type { RoleName } from '@repoless/contract/access.ts';

/** What an author looks for when something went wrong. */
export type Area = 'whole' | 'access' | 'mappings' | 'content' | 'code' | 'other';

/** Lists whose entries come and go. `of` in a change names which one of several: a header's path, a group, a host. */
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

/** Single values. */
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

/** One thing that differs between two configurations, in data that messages make a sentence of. `pointer` says where (RFC 6901). */
export type Change =
  /** It is there for the first time; is there again after a removal; was removed; nothing differs that an author set. */
  | { readonly kind: 'created' | 'returned' | 'removed' | 'same'; readonly area: 'whole'; readonly pointer: '' }
  | {
      readonly kind: 'list';
      readonly area: Area;
      readonly pointer: string;
      readonly list: ListName;
      readonly of?: string;
      readonly added: readonly string[];
      readonly removed: readonly string[];
      /** How many entries there are afterwards. */
      readonly left: number;
    }
  | { readonly kind: 'order'; readonly area: Area; readonly pointer: string; readonly list: ListName; readonly of?: string }
  /** A public path that shows another content path. */
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
  /** How much of its content a site publishes whose paths come without an entry of that list: no list includes everything, an empty one nothing. */
  | { readonly kind: 'inclusion'; readonly area: 'mappings'; readonly pointer: string; readonly includes: 'everything' | 'nothing' }
  /** Anything that has no message of its own. */
  | { readonly kind: 'other'; readonly area: Area; readonly pointer: string; readonly from?: string; readonly to?: string };
