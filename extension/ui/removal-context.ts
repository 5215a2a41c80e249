import { createContext } from 'react';
import type { RemovalPort } from '@repoless/core/plan/ports.ts';

/** What is deleted together with a site; absent where nobody can read that. */
export const RemovalContext = createContext<RemovalPort | undefined>(undefined);
