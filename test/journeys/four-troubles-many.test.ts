import { underFourTroubles } from './under-four-troubles.ts';
import { manyDialogs } from './write-dialogs-many.ts';

underFourTroubles(manyDialogs);
