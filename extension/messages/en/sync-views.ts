import { external } from './external.ts';
import { syncHistory } from './sync-history.ts';
import { sync } from './sync.ts';

/** Code sync and external repositories. */
export const syncViews = { sync, syncHistory, external };
