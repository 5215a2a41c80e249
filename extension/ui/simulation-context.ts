import { createContext } from 'react';
import type { SetupPorts } from '@repoless/core/plan/ports.ts';

/** What a change of mappings is simulated with: the service, and the pages of an author. */
export type SimulationPorts = Pick<SetupPorts, 'service' | 'authoring'>;

/** The ports of an author, for views that know no author but where a site's content comes from. Undefined: pages cannot be read there. */
export const SimulationContext = createContext<((author: string) => SimulationPorts) | undefined>(undefined);
