/** The ways to the configuration; its own messages come with it. */
export const configuration = {
  open: 'Configuration',
  openOf: (name: string) => `Configuration of “${name}”`,
  reading: 'Reading the configuration…',
};
