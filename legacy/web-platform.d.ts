// Of the web platform, what is read of an address here; every runtime has it.
declare class URL {
  constructor(url: string);
  readonly hostname: string;
  readonly pathname: string;
  static canParse(url: string): boolean;
}
