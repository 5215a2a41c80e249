import { createContext } from 'react';
import type { ChecksPort } from '@repoless/core/overview/checks-port.ts';

const missing = async () => ({ state: 'missing' }) as const;

/** Where checks are kept; nowhere until a view of many sites says so. */
export const ChecksContext = createContext<ChecksPort>({ all: missing, start: missing, site: missing, keep: missing });
