import type { syncViews as english } from '../en/sync-views.ts';
import { external } from './external.ts';
import { syncHistory } from './sync-history.ts';
import { sync } from './sync.ts';

/** Code sync and external repositories. */
export const syncViews: typeof english = { sync, syncHistory, external };
