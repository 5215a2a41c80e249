/** An authoring environment that the console can show. */
export interface Environment {
  readonly id: string;
  readonly title: string;
  readonly address: string;
}

/** What the console's page must know; its own copy of this shape is parsed in sandbox/console/settings.ts. */
export interface ConsoleSettings {
  readonly environments: readonly Environment[];
  readonly extension: { readonly id: string; readonly address: string };
  readonly backend: string;
  /** Sites have hosts of their own below it. */
  readonly previewDomain: string;
  readonly codeHost: string;
  readonly identity: { readonly authorization: string; readonly clientId: string; readonly resource: string };
  readonly organization: string;
  /** Stand-ins whose faults the panel “Simulate faults” can provoke. */
  readonly stands: readonly { readonly id: string; readonly title: string }[];
}
