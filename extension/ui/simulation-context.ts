import { createContext } from 'react';
import type { SetupPorts } from '@repoless/core/plan/ports.ts';

/** What simulating a change of mappings requires: the service, and the pages of an author. */
export type SimulationPorts = Pick<SetupPorts, 'service' | 'authoring'>;

/** The ports of an author, for views that only know the source of a site's content. Undefined if pages cannot be read there. */
export const SimulationContext = createContext<((author: string) => SimulationPorts) | undefined>(undefined);
