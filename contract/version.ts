/** The version of everything that is released together; `npm run release` sets it. */
export const VERSION = '0.1.0';
