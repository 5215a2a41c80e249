import { external } from './external.ts';
import { sync } from './sync.ts';

/** Code sync and external repositories. */
export const syncViews = { sync, external };
