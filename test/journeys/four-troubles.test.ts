import { underFourTroubles } from './under-four-troubles.ts';
import { writeDialogs } from './write-dialogs.ts';

underFourTroubles(writeDialogs);
