/** The clocks of two nodes never differ by more, in milliseconds: an hour. */
export const CLOCKS_APART = 3_600_000;
