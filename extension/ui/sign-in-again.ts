/** Signs in again because the person wants it; `goOn` does what failed for the lack of it. */
export type SignInAgain = (goOn?: () => void) => void;
