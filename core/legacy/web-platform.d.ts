// The parts of the web platform's URL that are used here; every runtime has it.
declare class URL {
  constructor(url: string);
  readonly hostname: string;
  readonly href: string;
  readonly password: string;
  readonly pathname: string;
  readonly protocol: string;
  readonly searchParams: { get(name: string): string | null; delete(name: string): void };
  readonly username: string;
  static canParse(url: string): boolean;
}
